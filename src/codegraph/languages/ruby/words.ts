/**
 * What every object of Ruby has, and what every class: whoever calls it calls something of the tree only where the tree says
 * so itself.
 */
export const rubyWords: ReadonlySet<string> = new Set(
  `! != == =~ === <=> Array Complex Float Hash Integer Pathname Rational String __callee__ __dir__ __id__ __method__ __send__
   abort alias_method allocate ancestors at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given?
   caller caller_locations catch class class_eval class_exec class_variable_get class_variable_set clone const_defined?
   const_get const_missing const_set define_method define_singleton_method display dup each_entry enum_for eql? equal? eval
   exit exit! extend fail fork format freeze frozen? gem gets global_variables hash include include? included_modules
   inspect instance_eval instance_exec instance_method instance_methods instance_of? instance_variable_defined?
   instance_variable_get instance_variable_set instance_variables is_a? itself kind_of? lambda load local_variables loop
   method method_defined? method_missing methods module_eval module_exec module_function name new nil? object_id open p
   pp prepend print printf private private_class_method private_constant private_instance_methods proc protected public
   public_class_method public_constant public_instance_methods public_method_defined? public_send putc puts raise rand
   readline readlines refine remove_const remove_instance_variable remove_method require require_relative respond_to?
   respond_to_missing? select send set_trace_func singleton_class singleton_method singleton_methods sleep spawn sprintf
   srand superclass syscall system tap test then throw to_enum to_s trap undef_method using warn yield_self`.split(
    /\s+/,
  ),
);

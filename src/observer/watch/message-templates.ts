// Whole messages of compilers, runtimes and test runners; `*` stands for a value. What is longer stands before what it begins with.
export const messageTemplates: readonly string[] = `
Cannot read properties of undefined (reading *)
Cannot read properties of null (reading *)
Cannot set properties of undefined (setting *)
Cannot set properties of null (setting *)
Cannot read property * of undefined
Cannot read property * of null
Cannot find property * of undefined
Cannot destructure property * of * as it is undefined
Cannot destructure property * of * as it is null
Cannot assign to read only property * of object *
Cannot access * before initialization
Cannot convert undefined or null to object
Cannot mix BigInt and other types, use explicit conversions
Cannot redefine property: *
Cannot add property *, object is not extensible
Cannot delete property * of *
Cannot use import statement outside a module
Cannot use 'in' operator to search for * in *
Cannot find module * imported from *
Cannot find module *
Cannot find package * imported from *
Cannot find package *
Class constructor * cannot be invoked without 'new'
Assignment to constant variable
Converting circular structure to JSON
* could not be cloned
Identifier * has already been declared
Illegal return statement
Invalid or unexpected token
Invalid time value
Invalid URL
Invalid array length
Invalid regular expression: *
Maximum call stack size exceeded
Missing initializer in const declaration
Must call super constructor in derived class before accessing 'this' or returning from derived constructor
Unexpected end of JSON input
Unexpected end of input
Unexpected token *, * is not valid JSON
Unexpected token * in JSON at position *
Unexpected token *
Unexpected identifier *
Unexpected reserved word
Unexpected non-whitespace character after JSON at position *
Expected property name or '}' in JSON at position *
Unterminated string in JSON at position *
The requested module * does not provide an export named *
The argument * must be of type *
The property * of * must be *
The "*" argument must be of type *
await is only valid in async functions and the top level bodies of modules
missing ) after argument list
require is not defined in ES module scope, you can use import instead
toString() radix must be between 2 and 36
fetch failed
failed to fetch
socket hang up
connect ECONNREFUSED *
connect ETIMEDOUT *
read ECONNRESET
write EPIPE
listen EADDRINUSE: address already in use *
getaddrinfo ENOTFOUND *
getaddrinfo EAI_AGAIN *
ENOENT: no such file or directory, * *
EACCES: permission denied, * *
EEXIST: file already exists, * *
EISDIR: illegal operation on a directory, *
ENOTDIR: not a directory, * *
ENOTEMPTY: directory not empty, * *
EPERM: operation not permitted, * *
no such file or directory, * *
no such file or directory
permission denied, * *
file already exists, * *
illegal operation on a directory, *
not a directory, * *
directory not empty, * *
operation not permitted, * *
address already in use *
No such file or directory: *
Permission denied: *
Module not found: *
Module * has no exported member *
Module * has no default export
Argument of type * is not assignable to parameter of type *
Type * is missing the following properties from type *
Type * is not assignable to type *
Type * does not satisfy the constraint *
Type * has no properties in common with type *
Type * has no call signatures
Type * is not generic
Type * is not an array type
Type * must have a '[Symbol.iterator]()' method that returns an iterator
Property * is missing in type * but required in type *
Property * does not exist on type *
Property * has no initializer and is not definitely assigned in the constructor
Property * is private and only accessible within class *
Property * is used before its initialization
Object literal may only specify known properties, and * does not exist in type *
Object is possibly 'undefined'
Object is possibly 'null'
Object is of type 'unknown'
Cannot find name *
Cannot find namespace *
Cannot invoke an object which is possibly 'undefined'
Cannot assign to * because it is a read-only property
Cannot assign to * because it is a constant
Cannot redeclare block-scoped variable *
Could not find a declaration file for module *
Conversion of type * to type * may be a mistake
Duplicate identifier *
Duplicate function implementation
Element implicitly has an 'any' type because expression of type * can't be used to index type *
Element implicitly has an 'any' type because *
Expected * arguments, but got *
Expected at least * arguments, but got *
Function lacks ending return statement and return type does not include 'undefined'
Generic type * requires * type argument(s)
No overload matches this call
Not all code paths return a value
Parameter * implicitly has an 'any' type
Variable * implicitly has an 'any' type
Variable * is used before being assigned
Subsequent variable declarations must have the same type
This expression is not callable
This expression is not constructable
This comparison appears to be unintentional because the types * and * have no overlap
The operand of a 'delete' operator must be optional
The left-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type
Unused '@ts-expect-error' directive
A function whose declared type is neither 'undefined', 'void', nor 'any' must return a value
Exported variable * has or is using private name *
Spread types may only be created from object types
';' expected
')' expected
'}' expected
Expression expected
Declaration or statement expected
Identifier expected
No module named *
cannot import name * from partially initialized module *
cannot import name * from *
module * has no attribute *
name * is not defined
free variable * referenced before assignment in enclosing scope
local variable * referenced before assignment
cannot access local variable * where it is not associated with a value
type object * has no attribute *
* object has no attribute *
* object is not callable
* object is not iterable
* object is not subscriptable
* object does not support item assignment
* object cannot be interpreted as an integer
cannot unpack non-iterable * object
unsupported operand type(s) for *: * and *
can only concatenate * to *
unhashable type: *
invalid literal for int() with base *: *
could not convert string to float: *
invalid syntax
unexpected indent
expected an indented block after *
unindent does not match any outer indentation level
list index out of range
tuple index out of range
string index out of range
pop from empty list
list indices must be integers or slices, not *
string indices must be integers, not *
division by zero
float division by zero
integer division or modulo by zero
not enough values to unpack (expected *, got *)
too many values to unpack (expected *)
dictionary changed size during iteration
maximum recursion depth exceeded
got an unexpected keyword argument *
time data * does not match format *
Expecting value: line * column * (char *)
Extra data: line * column * (char *)
Expecting property name enclosed in double quotes: line * column * (char *)
Invalid control character at: line * column * (char *)
[Errno 2] No such file or directory: *
[Errno 13] Permission denied: *
[Errno 17] File exists: *
[Errno 20] Not a directory: *
[Errno 21] Is a directory: *
[Errno 98] Address already in use
[Errno 111] Connection refused
fixture * not found
DID NOT RAISE *
Undefined name *
Undefined variable *
Local variable * is assigned to but never used
assert *
Argument * to * has incompatible type *; expected *
Incompatible return value type (got *, expected *)
Incompatible types in assignment (expression has type *, variable has type *)
runtime error: invalid memory address or nil pointer dereference
runtime error: index out of range [*] with length *
runtime error: slice bounds out of range *
runtime error: integer divide by zero
assignment to entry in nil map
close of closed channel
send on closed channel
all goroutines are asleep - deadlock!
interface conversion: * is *, not *
invalid character * looking for beginning of value
invalid character * after *
unexpected end of JSON input
undefined: *
declared and not used: *
cannot use * as * value in *
missing return
too many arguments in call to *
not enough arguments in call to *
undefined reference to *
cannot find package *
strconv.Atoi: parsing *: invalid syntax
strconv.ParseInt: parsing *: invalid syntax
strconv.ParseFloat: parsing *: invalid syntax
test timed out after *
expected *, got *
got * want *
got *, want *
called \`Option::unwrap()\` on a \`None\` value
called \`Result::unwrap()\` on an \`Err\` value: *
assertion \`left == right\` failed
assertion \`left != right\` failed
assertion failed: *
index out of bounds: the len is * but the index is *
attempt to add with overflow
attempt to subtract with overflow
attempt to multiply with overflow
attempt to divide by zero
already borrowed: BorrowMutError
already mutably borrowed: BorrowError
internal error: entered unreachable code
not implemented
not yet implemented
borrow of moved value: *
use of moved value: *
cannot borrow * as mutable, as it is not declared as mutable
cannot borrow * as mutable because it is also borrowed as immutable
cannot borrow * as mutable more than once at a time
cannot borrow * as immutable because it is also borrowed as mutable
cannot move out of * which is behind a shared reference
cannot assign to * which is behind a \`&\` reference
cannot find value * in this scope
cannot find function * in this scope
cannot find type * in this scope
cannot find macro * in this scope
failed to resolve: use of undeclared *
unresolved import *
mismatched types
missing lifetime specifier
no method named * found for *
no field * on type *
the trait bound * is not satisfied
* does not live long enough
* doesn't implement *
this function takes * arguments but * were supplied
this function takes * argument but * arguments were supplied
non-exhaustive patterns: * not covered
type annotations needed
For input string: *
No enum constant *
Index * out of bounds for length *
begin *, end *, length *
class * cannot be cast to class *
Cannot invoke * because * is null
Cannot read field * because * is null
cannot find symbol
incompatible types: * cannot be converted to *
undefined method * for *
undefined local variable or method * for *
uninitialized constant *
wrong number of arguments (given *, expected *)
invalid value for Integer(): *
comparison of * with * failed
divided by 0
can't modify frozen *
no implicit conversion of * into *
Undefined array key *
Undefined index: *
Undefined property: *
Call to undefined function *
Call to undefined method *
Call to a member function * on null
Unsupported operand types: *
Division by zero
Object reference not set to an instance of an object
The input string * was not in a correct format
The given key * was not present in the dictionary
Sequence contains no elements
Value cannot be null
Index was out of range
Missing script: *
npm error code *
npm error Missing script: *
Could not resolve dependency: *
Command timed out
command not found: *
Segmentation fault
No tests found, exiting with code 1
No test files found, exiting with code 1
No test suite found in file *
Test timed out in *
Hook timed out in *
Exceeded timeout of *
Timeout of * exceeded
Snapshot * mismatched
Snapshot mismatched
expect(received).* // Object.is equality
expect(received).*
promise resolved * instead of rejecting
promise rejected * instead of resolving
expected * to deeply equal *
expected * to strictly equal *
expected * to be * // Object.is equality
expected * to be greater than *
expected * to be less than *
expected * to be at least *
expected * to be at most *
expected * to be close to *
expected * to be an instance of *
expected * to be truthy
expected * to be falsy
expected * to be undefined
expected * to be null
expected * to be defined
expected * to be called *
expected * to be *
expected * to have a length of *
expected * to have property *
expected * to include *
expected * to contain *
expected * to match *
expected * to equal *
expected * to throw error *
expected * to throw *
expected * to not be *
expected * not to be *
expected error to be thrown with message *
expected function to throw *
Expected values to be strictly equal: *
Expected values to be strictly equal
Expected values to be strictly deep-equal
Expected values to be loosely deep-equal
The expression evaluated to a falsy value: *
Missing expected exception
duplicate key value violates unique constraint *
null value in column * violates not-null constraint
violates foreign key constraint *
relation * does not exist
column * does not exist
no such table: *
no such column: *
UNIQUE constraint failed: *
NOT NULL constraint failed: *
FOREIGN KEY constraint failed
SQLITE_BUSY: database is locked
database is locked
syntax error at or near *
near *: syntax error
* is assigned a value but never used
* is defined but never used
* is declared but its value is never read
* is not assignable to *
* is never reassigned. Use 'const' instead
* is not a function
* is not a constructor
* is not defined
* is not iterable
* is not a valid *
* cannot be used as a JSX component
* is possibly 'undefined'
* is possibly 'null'
* is of type 'unknown'
* is declared but never used
* is deprecated
* has no exported member *
* has already been declared
* imported but unused
* imported and not used
* redefined here
* undeclared (first use in this function)
* was not declared in this scope
Missing return type on function
Unexpected any. Specify a different type
Unexpected console statement
`
  .split("\n")
  .filter((line) => line !== "");

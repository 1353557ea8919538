import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeKind;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What javac says that the calls of a folder lead to: `java Truth.java FOLDER`. A line of `call` is the file and line of a call,
 * the file and line of what it runs, its name, and whether that has a body; one of `unsure` is a call of which javac knows
 * nothing, because what it hangs on is not in the folder. What leads out of the folder is in neither.
 */
public class Truth {
  private final Trees trees;
  private final SourcePositions positions;
  private final Path root;
  // Looking for the place of an element goes through its whole file.
  private final Map<Element, Optional<TreePath>> places = new HashMap<>();
  private final PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8);

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]).toRealPath();
    List<Path> files;
    try (Stream<Path> walked = Files.walk(root)) {
      // A module takes packages that are not there, and with them everything else.
      files = walked
          .filter(path -> path.toString().endsWith(".java") && !path.endsWith("module-info.java"))
          .sorted()
          .collect(Collectors.toList());
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
    // Without a class path much is an error; with this, javac goes on to say what it knows.
    List<String> options = List.of("-proc:none", "-implicit:none", "-XDshould-stop.ifError=FLOW", "-Xlint:none", "-cp", "");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    var truth = new Truth(Trees.instance(task), root);
    for (CompilationUnitTree unit : units) truth.print(unit);
    truth.out.flush();
  }

  private Truth(Trees trees, Path root) {
    this.trees = trees;
    this.positions = trees.getSourcePositions();
    this.root = root;
  }

  private void print(CompilationUnitTree unit) throws IOException {
    CharSequence text = unit.getSourceFile().getCharContent(true);
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
        ExpressionTree select = call.getMethodSelect();
        // javac writes `super()` into constructors that have none.
        if (startsWith(select, "super") || startsWith(select, "this") || !isBareSuper(select)) {
          say(unit, positions.getEndPosition(unit, select), trees.getElement(new TreePath(getCurrentPath(), select)), select);
        }
        return super.visitMethodInvocation(call, none);
      }

      @Override
      public Void visitNewClass(NewClassTree call, Void none) {
        // The constants of an enum are calls of its constructor to javac alone.
        if (startsWith(call, "new") || call.getEnclosingExpression() != null) {
          Element made = call.getClassBody() == null
              ? trees.getElement(getCurrentPath())
              : trees.getElement(new TreePath(getCurrentPath(), call.getIdentifier()));
          say(unit, positions.getStartPosition(unit, call.getIdentifier()), made, call.getIdentifier());
        }
        return super.visitNewClass(call, none);
      }

      private boolean isBareSuper(Tree tree) {
        return tree.toString().equals("super");
      }

      private boolean startsWith(Tree tree, String word) {
        int at = (int) positions.getStartPosition(unit, tree);
        return at >= 0 && text.subSequence(at, Math.min(text.length(), at + word.length())).toString().equals(word);
      }
    }.scan(new TreePath(unit), null);
  }

  private void say(CompilationUnitTree unit, long at, Element to, Tree called) {
    long line = unit.getLineMap().getLineNumber(at);
    if (to == null || to.asType().getKind() == TypeKind.ERROR) {
      print("unsure", pathOf(unit), line, "", 0, called.toString().replaceAll("\\s+", " "), "");
      return;
    }
    boolean isMade = to.getKind() == ElementKind.CONSTRUCTOR || to instanceof TypeElement;
    Element owner = to instanceof TypeElement ? to : to.getEnclosingElement();
    TreePath found = places.computeIfAbsent(to, wanted -> Optional.ofNullable(trees.getPath(wanted))).orElse(null);
    if (found == null) return;
    Tree tree = found.getLeaf();
    CompilationUnitTree home = found.getCompilationUnit();
    // A constructor that javac has made has no place of its own.
    long end = positions.getEndPosition(home, tree);
    if (end < 0) end = positions.getEndPosition(home, trees.getTree((TypeElement) owner));
    // What is made of an interface on the spot runs nothing of it.
    boolean hasBody = tree instanceof ClassTree ? tree.getKind() != Tree.Kind.INTERFACE : ((MethodTree) tree).getBody() != null;
    String name = (isMade ? owner : to).getSimpleName().toString();
    print(isMade ? "new" : "call", pathOf(unit), line, pathOf(home), home.getLineMap().getLineNumber(end), name, hasBody ? "body" : "");
  }

  private String pathOf(CompilationUnitTree unit) {
    JavaFileObject file = unit.getSourceFile();
    return root.relativize(Path.of(file.toUri())).toString();
  }

  private void print(Object... cells) {
    out.println(Stream.of(cells).map(String::valueOf).collect(Collectors.joining("\t")));
  }
}

package io.headgate.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every public type and member of the library has a comment. The compiler's own lint for this also
 * asks for every tag of every parameter, which a good sentence often makes superfluous.
 */
final class DocumentationTest {
  @Test
  void everyPublicTypeAndMemberIsDocumented() throws IOException {
    List<String> undocumented = new ArrayList<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(sources()));
      DocTrees comments = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(unit, comments, undocumented).scan(unit, null);
      }
    }
    assertThat(undocumented).isEmpty();
  }

  private static Path[] sources() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      return files.filter(file -> file.toString().endsWith(".java")).toArray(Path[]::new);
    }
  }

  /** Goes down through public and protected types only. */
  private static final class Scanner extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final DocTrees comments;
    private final List<String> undocumented;

    Scanner(CompilationUnitTree unit, DocTrees comments, List<String> undocumented) {
      this.unit = unit;
      this.comments = comments;
      this.undocumented = undocumented;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
      if (isPublic(type.getModifiers())) {
        require(type.getSimpleName().toString());
        super.visitClass(type, null);
      }
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      // A compact constructor may repeat what the record says.
      boolean isCompact = method.getName().contentEquals("<init>") && isIn(Tree.Kind.RECORD);
      if (isPublic(method.getModifiers()) && !isCompact && !overrides(method.getModifiers())) {
        require(method.getName().toString());
      }
      return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, @Nullable Void nothing) {
      boolean isComponent = isIn(Tree.Kind.RECORD) && !isStatic(field.getModifiers());
      if (isPublic(field.getModifiers()) && !isComponent) {
        require(field.getName().toString());
      }
      return null;
    }

    private boolean isPublic(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (isIn(Tree.Kind.INTERFACE) && !flags.contains(Modifier.PRIVATE));
    }

    private boolean isIn(Tree.Kind kind) {
      TreePath parent = getCurrentPath().getParentPath();
      return parent != null && parent.getLeaf().getKind() == kind;
    }

    private static boolean isStatic(ModifiersTree modifiers) {
      return modifiers.getFlags().contains(Modifier.STATIC);
    }

    private static boolean overrides(ModifiersTree modifiers) {
      return modifiers.getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    private void require(String name) {
      if (comments.getDocCommentTree(getCurrentPath()) == null) {
        undocumented.add(unit.getSourceFile().getName() + ": " + name);
      }
    }
  }
}

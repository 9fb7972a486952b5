package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.List;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** A class made from source without touching the disk, whose name no file could carry. */
final class InMemoryClass extends ClassLoader {

  private final byte[] bytes;

  private InMemoryClass(byte[] bytes) {
    super(InMemoryClass.class.getClassLoader());
    this.bytes = bytes;
  }

  static Class<?> compile(JavaCompiler compiler, String name, String source) throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    JavaFileObject input =
        new SimpleJavaFileObject(URI.create("mem:///Source.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }

          @Override
          public boolean isNameCompatible(String simpleName, Kind kind) {
            return true;
          }
        };
    JavaFileObject output =
        new SimpleJavaFileObject(URI.create("mem:///Output.class"), JavaFileObject.Kind.CLASS) {
          @Override
          public OutputStream openOutputStream() {
            return written;
          }
        };
    try (JavaFileManager files =
        new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
          @Override
          public JavaFileObject getJavaFileForOutput(
              Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return output;
          }
        }) {
      assertThat(
              compiler
                  .getTask(null, files, null, List.of("-proc:none"), null, List.of(input))
                  .call())
          .isTrue();
    }
    return new InMemoryClass(written.toByteArray()).loadClass(name);
  }

  @Override
  protected Class<?> findClass(String name) {
    return defineClass(name, bytes, 0, bytes.length);
  }
}

package io.tidemark.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes made from text, so that code which breaks every rule need not lie among the sources. */
final class CompiledText {
  private CompiledText() {}

  /** Compiles one top-level type per text into {@code directory} and reads the classes there. */
  static JavaClasses of(Path directory, String... texts) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    List<String> options =
        List.of("-d", directory.toString(), "-proc:none", "-nowarn", "-cp", classPath());
    List<Source> sources = Arrays.stream(texts).map(Source::new).toList();
    if (!compiler.getTask(complaints, null, null, options, null, sources).call()) {
      throw new IllegalArgumentException(complaints.toString());
    }
    return new ClassFileImporter().importPath(directory);
  }

  static String resource(String path) {
    try (InputStream in =
        Objects.requireNonNull(CompiledText.class.getResourceAsStream(path), path)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Surefire hides the real class path in a jar's manifest and names it in a property of its own.
   */
  private static String classPath() {
    String plain = System.getProperty("java.class.path", "");
    return System.getProperty("surefire.test.class.path", plain);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("text:///" + path(text)), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      String pack = text.replaceFirst("(?s)^.*?package ([\\w.]+);.*$", "$1");
      String type = text.replaceFirst("(?s)^.*?\\bclass (\\w+).*$", "$1");
      return pack.replace('.', '/') + "/" + type + ".java";
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

package io.tidemark.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Defines the classes of a mutant, compiled from their sources with a few words exchanged, and anew
 * every class that may refer to them; all others come from the parent.
 */
final class MutantLoader extends ClassLoader {
  private static final String SIMULATION = "io.tidemark.simulation";

  /** Packages that nothing but the simulation refers to. */
  private static final Set<String> LAST =
      Set.of("io.tidemark.node", "io.tidemark.provider.mock", SIMULATION);

  private static final List<String> MODULES = List.of("core", "provider-mock", "simulation");

  private static final JavaCompiler COMPILER =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "this needs a JDK");

  /** One for all, because it takes long to look into every jar. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private final Map<String, byte[]> compiled;
  private final Set<String> packages = new HashSet<>();

  /** One exchange of words in the source of a class; spaces and line ends do not count. */
  record Edit(String className, String from, String to) {
    private String applied(String source) {
      String words =
          Pattern.compile("\\s+")
              .splitAsStream(from.trim())
              .map(Pattern::quote)
              .collect(Collectors.joining("\\s+"));
      Matcher matcher = Pattern.compile(words).matcher(source);
      if (!matcher.find()) {
        throw new IllegalStateException(
            className + " does not hold the words that the mutant exchanges; adapt it: " + from);
      }
      String edited = source.substring(0, matcher.start()) + to + source.substring(matcher.end());
      if (matcher.find()) {
        throw new IllegalStateException(className + " holds these words twice: " + from);
      }
      return edited;
    }
  }

  MutantLoader(List<Edit> edits) {
    super(MutantLoader.class.getClassLoader());
    compiled = edits.isEmpty() ? Map.of() : compile(edited(edits));
    edits.forEach(edit -> packages.add(packageOf(edit.className())));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!isOurs(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
  }

  private boolean isOurs(String name) {
    if (!LAST.containsAll(packages)) {
      return name.startsWith("io.tidemark.");
    }
    return packages.contains(packageOf(name)) || name.startsWith(SIMULATION + ".");
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] code = compiled.get(name);
    if (code == null) {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        code = in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
    return defineClass(name, code, 0, code.length);
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }

  // ---- from source to code

  private static Map<String, String> edited(List<Edit> edits) {
    Map<String, String> sources = new HashMap<>();
    for (Edit edit : edits) {
      String before = sources.computeIfAbsent(edit.className(), MutantLoader::source);
      sources.put(edit.className(), edit.applied(before));
    }
    return sources;
  }

  private static String source(String className) {
    String file = "src/main/java/" + className.replace('.', '/') + ".java";
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      for (String module : MODULES) {
        Path source = at.resolve(module).resolve(file);
        if (Files.exists(source)) {
          try {
            return Files.readString(source);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
    }
    throw new IllegalStateException("no source of " + className);
  }

  private static Map<String, byte[]> compile(Map<String, String> sources) {
    Memory memory = new Memory(FILES);
    StringWriter problems = new StringWriter();
    List<String> options =
        List.of("-classpath", System.getProperty("java.class.path"), "-proc:none", "-nowarn");
    List<SourceText> units =
        sources.entrySet().stream()
            .map(each -> new SourceText(each.getKey(), each.getValue()))
            .toList();
    if (!COMPILER.getTask(problems, memory, null, options, null, units).call()) {
      throw new IllegalStateException("the mutant does not compile: " + problems);
    }
    return memory.code();
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(String className, String text) {
      super(URI.create("mutant:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Keeps what the compiler makes. */
  private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

    Memory(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mutant:///" + className), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream output = new ByteArrayOutputStream();
          outputs.put(className, output);
          return output;
        }
      };
    }

    Map<String, byte[]> code() {
      Map<String, byte[]> code = new HashMap<>();
      outputs.forEach((name, output) -> code.put(name, output.toByteArray()));
      return code;
    }
  }
}

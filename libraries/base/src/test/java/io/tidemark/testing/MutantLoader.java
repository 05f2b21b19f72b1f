package io.tidemark.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
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
public final class MutantLoader extends ClassLoader {
  private static final List<String> MODULES =
      List.of(
          "libraries/base",
          "core",
          "systems/engine",
          "systems/agent",
          "systems/datastore",
          "systems/nodecidr",
          "systems/nodeid",
          "provider-kit",
          "provider-mock",
          "provider-aws",
          "provider-azure",
          "programs/daemon",
          "emulators/simulation");

  private static final JavaCompiler COMPILER =
      Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "this needs a JDK");

  /** One for all, because it takes long to look into every jar. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private final Map<String, byte[]> compiled;
  private final Predicate<String> anew;

  /** One exchange of words in the source of a class; spaces and line ends do not count. */
  public record Edit(String className, String from, String to) {
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

  /**
   * Compiles what is changed.
   *
   * @param anew names of the classes to define anew: the changed ones and all that may refer to
   *     them
   */
  public MutantLoader(List<Edit> edits, Predicate<String> anew) {
    super(MutantLoader.class.getClassLoader());
    this.compiled = edits.isEmpty() ? Map.of() : compile(edited(edits));
    this.anew = anew;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!anew.test(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known != null ? known : define(name);
    }
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

  // ---- from source to code

  /** The changed sources, by the names of their classes. */
  static Map<String, String> edited(List<Edit> edits) {
    Map<String, String> sources = new HashMap<>();
    for (Edit edit : edits) {
      String before = sources.computeIfAbsent(edit.className(), MutantLoader::source);
      sources.put(edit.className(), edit.applied(before));
    }
    return sources;
  }

  private static String source(String className) {
    String file = "src/main/java/" + className.replace('.', '/') + ".java";
    for (String module : MODULES) {
      if (Files.exists(Repository.root().resolve(module).resolve(file))) {
        return Repository.text(module + "/" + file);
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

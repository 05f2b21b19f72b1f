package io.tidemark.it.walk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.data.ExecutionData;
import org.jacoco.core.data.ExecutionDataStore;
import org.jacoco.core.data.SessionInfoStore;
import org.jacoco.core.instr.Instrumenter;
import org.jacoco.core.runtime.LoggerRuntime;
import org.jacoco.core.runtime.RuntimeData;

/**
 * Loads the classes of Tidemark anew, with the probes of JaCoCo, and lists the files of which code
 * was executed. Single-threaded.
 */
final class ExecutedFiles extends ClassLoader {
  /** A method that is shorter is a question to a value. */
  private static final int DECISION_LINES = 3;

  /** They check what they are given, or compare values. */
  private static final Set<String> OF_VALUES = Set.of("<init>", "<clinit>", "equals", "hashCode");

  private final RuntimeData data = new RuntimeData();
  private final Instrumenter instrumenter;

  ExecutedFiles() throws Exception {
    super(ExecutedFiles.class.getClassLoader());
    LoggerRuntime runtime = new LoggerRuntime();
    runtime.startup(data);
    instrumenter = new Instrumenter(runtime);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.tidemark.")) {
      return super.loadClass(name, resolve);
    }
    Class<?> known = findLoadedClass(name);
    return known == null ? findClass(name) : known;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    try (InputStream in = code(name.replace('.', '/'))) {
      byte[] code = isTest(name) ? in.readAllBytes() : instrumenter.instrument(in, name);
      return defineClass(name, code, 0, code.length, ExecutedFiles.class.getProtectionDomain());
    } catch (IOException unreadable) {
      throw new ClassNotFoundException(name, unreadable);
    }
  }

  private boolean isTest(String name) {
    return String.valueOf(getResource(name.replace('.', '/') + ".class"))
        .matches(".*(/test-classes/|-tests\\.jar!).*");
  }

  private InputStream code(String path) throws IOException {
    InputStream in = getResourceAsStream(path + ".class");
    if (in == null) {
      throw new IOException("no class " + path);
    }
    return in;
  }

  /** Forgets what was executed so far. */
  void reset() {
    data.reset();
  }

  /**
   * The files executed since the last reset, by qualified name.
   *
   * @return whether a file decided something: a method with a branch was executed
   */
  Map<String, Boolean> executed() {
    ExecutionDataStore store = new ExecutionDataStore();
    data.collect(store, new SessionInfoStore(), false);
    CoverageBuilder coverage = new CoverageBuilder();
    Analyzer analyzer = new Analyzer(store, coverage);
    Map<String, Boolean> files = new TreeMap<>();
    for (ExecutionData each : store.getContents()) {
      if (each.hasHits()) {
        files.put(file(each.getName()), false);
        analyze(each.getName(), analyzer);
      }
    }
    for (IClassCoverage each : coverage.getClasses()) {
      if (each.getMethods().stream().anyMatch(ExecutedFiles::decided)) {
        files.put(file(each.getName()), true);
      }
    }
    return files;
  }

  private void analyze(String path, Analyzer analyzer) {
    try (InputStream in = code(path)) {
      analyzer.analyzeClass(in, path);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static boolean decided(IMethodCoverage method) {
    return method.getBranchCounter().getTotalCount() > 0
        && method.getLineCounter().getCoveredCount() >= DECISION_LINES
        && !OF_VALUES.contains(method.getName());
  }

  private static String file(String path) {
    return path.replaceAll("\\$.*", "").replace('/', '.');
  }
}

package io.tidemark.engine;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Providers in a folder of plugins: each folder of jars in it is a plugin with a class loader of
 * its own. Hidden folders and files are ignored, but for jars, which belong into a folder.
 */
final class PluginFolder {
  private final Path folder;
  private final List<ProviderFactory> found = new ArrayList<>();
  private final Map<String, String> places = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private PluginFolder(Path folder, Providers installed) {
    this.folder = folder;
    installed.names().forEach(name -> places.put(name, "the program"));
  }

  /**
   * The providers of all plugins.
   *
   * @param installed those of the program, whose names are taken
   * @throws IpamException {@code PLUGIN_REFUSED} with every problem of every plugin
   */
  static List<ProviderFactory> load(Path folder, Providers installed) {
    PluginFolder plugins = new PluginFolder(folder, installed);
    for (Path each : plugins.list(folder, path -> !isHidden(path))) {
      if (Files.isDirectory(each)) {
        plugins.plugin(each);
      } else if (isJar(each)) {
        plugins.problems.add(each + ": is not in a folder of its own");
      }
    }
    if (!plugins.problems.isEmpty()) {
      throw new IpamException(CoreError.PLUGIN_REFUSED, String.join("\n", plugins.problems));
    }
    return plugins.found;
  }

  private static boolean isJar(Path path) {
    return path.toString().endsWith(".jar");
  }

  private static boolean isHidden(Path path) {
    return String.valueOf(path.getFileName()).startsWith(".");
  }

  private List<Path> list(Path where, Predicate<Path> wanted) {
    try (Stream<Path> all = Files.list(where)) {
      return all.filter(wanted).sorted().toList();
    } catch (IOException e) {
      problems.add(where + ": cannot be read: " + FileErrorText.of(e));
      return List.of();
    }
  }

  private void plugin(Path plugin) {
    int before = problems.size();
    List<Path> jars = list(plugin, PluginFolder::isJar);
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      try (JarFile opened = new JarFile(jar.toFile())) {
        urls.add(Path.of(opened.getName()).toUri().toURL());
      } catch (IOException e) {
        problems.add(jar + ": cannot be read as a jar: " + FileErrorText.of(e));
      }
    }
    if (jars.isEmpty() && problems.size() == before) {
      problems.add(plugin + ": has no jar");
    }
    if (problems.size() == before) {
      providers(plugin, urls.toArray(URL[]::new));
    }
  }

  /** A plugin can fail in any way while it is loaded. */
  private void providers(Path plugin, URL[] jars) {
    int before = found.size();
    try {
      ClassLoader loader =
          new PluginClassLoader(
              folder.relativize(plugin).toString(), jars, PluginFolder.class.getClassLoader());
      for (ProviderFactory each : ServiceLoader.load(ProviderFactory.class, loader)) {
        add(plugin, PluginProvider.of(each, loader));
      }
      if (found.size() == before) {
        problems.add(plugin + ": no jar has META-INF/services/" + ProviderFactory.class.getName());
      }
    } catch (ServiceConfigurationError | LinkageError | RuntimeException e) {
      problems.add(plugin + ": " + reason(e));
    }
  }

  private static String reason(Throwable failure) {
    String text =
        failure instanceof ServiceConfigurationError
            ? String.valueOf(failure.getMessage())
            : failure.toString();
    return failure.getCause() == null ? text : text + ": " + failure.getCause();
  }

  private void add(Path plugin, ProviderFactory provider) {
    String name = provider.name();
    String other = places.putIfAbsent(name, plugin.toString());
    if (other != null) {
      problems.add(plugin + ": provider '" + name + "' is also in " + other);
    }
    found.add(provider);
  }

  /**
   * Loads one plugin: its own jars and the JDK, and from the program only the SPI with what the SPI
   * exposes. Other libraries of the program are not visible, so a plugin can have other versions of
   * them.
   */
  private static final class PluginClassLoader extends URLClassLoader {
    /** Packages of modules base and core, and the libraries whose types are part of their API. */
    private static final List<String> SHARED =
        List.of(
            "io.tidemark.cluster.",
            "io.tidemark.config.",
            "io.tidemark.error.",
            "io.tidemark.file.",
            "io.tidemark.ip.",
            "io.tidemark.metrics.",
            "io.tidemark.resilience.",
            "io.tidemark.resource.",
            "io.tidemark.spi.",
            "io.tidemark.time.",
            "com.fasterxml.jackson.annotation.",
            "com.fasterxml.jackson.core.",
            "com.fasterxml.jackson.databind.",
            "io.micrometer.",
            "org.jspecify.",
            "org.slf4j.");

    static {
      registerAsParallelCapable();
    }

    private final ClassLoader program;

    /**
     * A plugin of these jars.
     *
     * @param program has the SPI
     */
    PluginClassLoader(String name, URL[] jars, ClassLoader program) {
      super(name, jars, getPlatformClassLoader());
      this.program = program;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return SHARED.stream().anyMatch(name::startsWith)
          ? program.loadClass(name)
          : super.loadClass(name, resolve);
    }
  }

  /**
   * The provider of a plugin. While it is created, the thread's context class loader is that of the
   * plugin: libraries look for their parts there.
   */
  private record PluginProvider(
      String name, List<Option<?>> settings, ProviderFactory plugin, ClassLoader loader)
      implements ProviderFactory {
    /** Reads name and settings now, so that a plugin that cannot tell them is found broken. */
    static PluginProvider of(ProviderFactory plugin, ClassLoader loader) {
      return new PluginProvider(plugin.name(), List.copyOf(plugin.settings()), plugin, loader);
    }

    @Override
    public String metricsName() {
      return plugin.metricsName();
    }

    @Override
    public Optional<Duration> passTimeout() {
      return plugin.passTimeout();
    }

    @Override
    public boolean hasAliasRanges() {
      return plugin.hasAliasRanges();
    }

    @Override
    public AllocationImplementation create(ProviderContext context) {
      return inside(() -> plugin.create(context));
    }

    @Override
    public Checkup checkup(ProviderContext context) {
      return inside(() -> plugin.checkup(context));
    }

    @Override
    public Optional<PlannedInstance> plan(
        ConfigSource config,
        NodeSettings node,
        NodeResource resource,
        PlannedInstance.Passes passes) {
      return inside(() -> plugin.plan(config, node, resource, passes));
    }

    private <T> T inside(Supplier<T> call) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        return call.get();
      } catch (LinkageError e) {
        throw new IpamException(
            CoreError.PLUGIN_REFUSED,
            "provider '" + name + "' lacks a class or has a wrong one: " + e,
            e);
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }
}

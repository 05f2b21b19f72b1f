package io.tidemark.engine;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;

/**
 * Loads one plugin: its own jars and the JDK, and from the program only the SPI with what the SPI
 * exposes. Other libraries of the program are not visible, so a plugin can have other versions of
 * them.
 */
final class PluginClassLoader extends URLClassLoader {
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

package io.tidemark.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/** Plugins that are compiled for a test, in a folder {@code plugins}. */
public final class PluginJars {
  /** Names the factories of a jar. */
  public static final String SERVICE = "META-INF/services/" + ProviderFactory.class.getName();

  private final Path directory;

  /** In a directory of the test's own. */
  public PluginJars(Path directory) {
    this.directory = directory;
  }

  /** The folder of plugins. */
  public Path plugins() {
    return directory.resolve("plugins");
  }

  /** A factory whose name and creation are these expressions. */
  private byte[] factory(String type, String name, String created, String setting)
      throws IOException {
    Path source = Files.createDirectories(directory.resolve("src")).resolve(type + ".java");
    Files.writeString(
        source,
        """
        public final class TYPE implements io.tidemark.spi.ProviderFactory {
          public String name() {
            return NAME;
          }

          public java.util.List<io.tidemark.config.Option<?>> settings() {
            io.tidemark.config.Options all = new io.tidemark.config.Options();
            all.raw("SETTING", "a setting");
            return all.all();
          }

          public io.tidemark.spi.AllocationImplementation create(
              io.tidemark.spi.ProviderContext context) {
            throw new IllegalStateException(String.valueOf(CREATED));
          }
        }
        """
            .replace("TYPE", type)
            .replace("NAME", name)
            .replace("CREATED", created)
            .replace("SETTING", setting));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-nowarn", source.toString());
    if (result != 0) {
      throw new IllegalArgumentException(source + " does not compile");
    }
    return Files.readAllBytes(source.resolveSibling(type + ".class"));
  }

  /** A jar in the folder of plugins. */
  public void jar(String path, Map<String, byte[]> content) throws IOException {
    Path jar = plugins().resolve(path);
    Files.createDirectories(jar.getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> each : content.entrySet()) {
        out.putNextEntry(new JarEntry(each.getKey()));
        out.write(each.getValue());
        out.closeEntry();
      }
    }
  }

  /** As the other one, with the setting {@code own-setting}. */
  public void plugin(String folder, String type, String name, String created) throws IOException {
    plugin(folder, type, name, created, "own-setting");
  }

  /**
   * A plugin of one jar.
   *
   * @param type of the factory, in no package
   * @param name an expression: the name of the provider
   * @param created an expression: the message with which its creation fails
   * @param setting key of its setting
   */
  public void plugin(String folder, String type, String name, String created, String setting)
      throws IOException {
    jar(
        folder + "/a.jar",
        Map.of(
            SERVICE, type.getBytes(UTF_8), type + ".class", factory(type, name, created, setting)));
  }
}

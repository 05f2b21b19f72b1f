package io.tidemark.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.error.IpamException;
import io.tidemark.spi.PluginJars;
import io.tidemark.spi.ProviderFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Providers in a folder of plugins")
class PluginFolderTest {
  private static final Providers NONE = new Providers(List.of());

  @TempDir private Path directory;

  private PluginJars jars;

  @BeforeEach
  void begin() {
    jars = new PluginJars(directory);
  }

  private List<String> problems(Providers installed) {
    Path plugins = jars.plugins();
    IpamException refused =
        catchThrowableOfType(IpamException.class, () -> installed.withPlugins(plugins));
    assertThat(refused.code().label()).isEqualTo("TM-1027");
    return refused.detail().replace(plugins + "/", "").lines().toList();
  }

  @Test
  @DisplayName("PL-1 each folder of jars is a plugin; files and hidden folders are not")
  void found() throws IOException {
    jars.plugin("one", "One", "\"one\"", "null");
    jars.plugin("two", "Two", "\"two\"", "null");
    jars.plugin(".hidden", "Three", "\"three\"", "null");
    Files.writeString(jars.plugins().resolve("README"), "text");
    assertThat(NONE.withPlugins(jars.plugins()).names()).containsExactly("one", "two");
  }

  @Test
  @DisplayName("PL-1 two plugins can have classes of one name, and see no library of the program")
  void apart() throws IOException {
    String visible =
        "\"%s \" + (Same.class.getClassLoader().getResource(\"org/assertj/core/api/Assertions.class\")"
            + " != null)";
    jars.plugin("one", "Same", visible.formatted("one"), "null");
    jars.plugin("two", "Same", visible.formatted("two"), "null");
    assertThat(NONE.withPlugins(jars.plugins()).names()).containsExactly("one false", "two false");
  }

  @Test
  @DisplayName("PL-2 a plugin is created with its class loader as that of the thread")
  @SuppressWarnings("NullAway") // this plugin does not look at its context
  void contextClassLoader() throws IOException {
    jars.plugin(
        "one", "One", "\"one\"", "Thread.currentThread().getContextClassLoader().getName()");
    ProviderFactory one = NONE.withPlugins(jars.plugins()).named("one", "test");
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    assertThatThrownBy(() -> one.create(null)).hasMessage("one");
    assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
  }

  @Test
  @DisplayName(
      "PL-3 every broken plugin is reported at once, with its jar or folder and the reason")
  void broken() throws IOException {
    Files.createDirectories(jars.plugins().resolve("empty"));
    jars.jar("no-service/a.jar", Map.of("a.txt", new byte[0]));
    jars.jar("no-class/a.jar", Map.of(PluginJars.SERVICE, "Missing".getBytes(UTF_8)));
    jars.plugin("fails", "Fails", "\"\" + java.util.List.of().get(0)", "null");
    Files.createDirectories(jars.plugins().resolve("text"));
    Files.writeString(jars.plugins().resolve("text/a.jar"), "text");
    jars.jar("alone.jar", Map.of());
    assertThat(problems(NONE))
        .containsExactly(
            "alone.jar: is not in a folder of its own",
            "empty: has no jar",
            "fails: java.lang.ArrayIndexOutOfBoundsException: Index 0 out of bounds for length 0",
            "no-class: io.tidemark.spi.ProviderFactory: Provider Missing not found",
            "no-service: no jar has " + PluginJars.SERVICE,
            "text/a.jar: cannot be read as a jar: zip END header not found");
  }

  @Test
  @DisplayName("PL-3 two providers of one name are refused, also when one is of the program")
  void twice() throws IOException {
    jars.plugin("one", "One", "\"same\"", "null");
    jars.plugin("two", "Two", "\"same\"", "null");
    assertThat(problems(NONE)).containsExactly("two: provider 'same' is also in one");
    Files.delete(jars.plugins().resolve("two/a.jar"));
    Files.delete(jars.plugins().resolve("two"));
    Providers installed = NONE.withPlugins(jars.plugins());
    assertThat(problems(installed)).containsExactly("one: provider 'same' is also in the program");
  }

  @Test
  @DisplayName("PL-3 a folder that is not there is refused")
  void absent() {
    assertThatThrownBy(() -> NONE.withPlugins(directory.resolve("nowhere")))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("nowhere: cannot be read: it does not exist");
  }

  @Test
  @SuppressWarnings("NullAway") // this plugin does not look at its context
  @DisplayName("PL-3 a plugin that lacks a class when it is created is refused")
  void classMissing() throws IOException {
    jars.plugin(
        "one",
        "One",
        "\"one\"",
        "java.util.Optional.empty().orElseThrow(() -> new NoClassDefFoundError(\"kit/Gone\"))");
    ProviderFactory one = NONE.withPlugins(jars.plugins()).named("one", "test");
    assertThatThrownBy(() -> one.create(null))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining(
            "provider 'one' lacks a class or has a wrong one:"
                + " java.lang.NoClassDefFoundError: kit/Gone");
  }
}

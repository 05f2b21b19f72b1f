package io.tidemark.engine;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.spi.ProviderFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The providers on the class path (design: {@link ServiceLoader}), by name. Immutable.
 *
 * @param all in alphabetical order
 */
public record Providers(List<ProviderFactory> all) {
  public Providers {
    List<ProviderFactory> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparing(ProviderFactory::name));
    all = List.copyOf(sorted);
  }

  /** Those that ship with the program, and whatever else the class path holds. */
  public static Providers installed() {
    List<ProviderFactory> found = new ArrayList<>();
    ServiceLoader.load(ProviderFactory.class).forEach(found::add);
    return new Providers(found);
  }

  /**
   * These, and those of a folder of plugins: each folder of jars in it is a plugin, which sees of
   * the program only the SPI and what the SPI exposes.
   *
   * @throws IpamException with {@link CoreError#PLUGIN_REFUSED}, listing every plugin that cannot
   *     be loaded or has the name of another provider
   */
  public Providers withPlugins(Path folder) {
    List<ProviderFactory> both = new ArrayList<>(all);
    both.addAll(PluginFolder.load(folder, this));
    return new Providers(both);
  }

  /** Their names. */
  public List<String> names() {
    return all.stream().map(ProviderFactory::name).toList();
  }

  /**
   * The provider of that name.
   *
   * @param origin where it was chosen, for the message
   * @throws IpamException with {@link CoreError#PROVIDER_UNKNOWN}, listing the known ones
   */
  public ProviderFactory named(String name, String origin) {
    return all.stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IpamException(
                    CoreError.PROVIDER_UNKNOWN,
                    origin
                        + ": there is no provider '"
                        + name
                        + "'; known: "
                        + String.join(", ", names())));
  }
}

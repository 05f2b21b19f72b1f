package io.tidemark.engine;

import io.tidemark.config.Option;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The provider of a plugin. While it is created, the thread's context class loader is that of the
 * plugin: libraries look for their parts there.
 */
record PluginProvider(
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

package example.provider;

import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;

/**
 * Makes the provider {@code minimal}. A real one reads its keys from the context, makes its client
 * and is named in {@code META-INF/services}; the imaginary cloud has no client, so it is given.
 */
public record MinimalProviderFactory(MachineApi api) implements ProviderFactory {
  @Override
  public String name() {
    return "minimal";
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    return new MinimalProvider(api, context);
  }
}

package io.tidemark.spi;

import java.util.Set;

/** Makes a provider; found by {@link java.util.ServiceLoader} and chosen by name. */
public interface ProviderFactory {
  /** The name of the flag {@code --provider}, lower case. */
  String name();

  /** Keys it reads beside the core's; any other key is refused by name. */
  Set<String> configKeys();

  /**
   * The provider for one cluster; makes no request.
   *
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  AllocationImplementation create(ProviderContext context);
}

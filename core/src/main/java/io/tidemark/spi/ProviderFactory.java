package io.tidemark.spi;

import java.util.Map;
import java.util.Set;

/** Makes a provider; found by {@link java.util.ServiceLoader} and chosen by name. */
public interface ProviderFactory {
  /** The name of the flag {@code --provider}, lower case. */
  String name();

  /**
   * Keys it reads beside the core's, each with its meaning in a line for {@code --help}; any other
   * key is refused by name.
   */
  Map<String, String> configKeys();

  /** Which of them hold what nobody may see; none by default. Their values are never shown. */
  default Set<String> secretKeys() {
    return Set.of();
  }

  /**
   * The provider for one cluster; makes no request.
   *
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  AllocationImplementation create(ProviderContext context);

  /**
   * What {@code doctor} looks at with these settings; makes no request yet.
   *
   * @return {@link Checkup#NOTHING} by default
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  default Checkup checkup(ProviderContext context) {
    return Checkup.NOTHING;
  }
}

package io.tidemark.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Creates a provider; found by {@link java.util.ServiceLoader} and chosen by name. */
public interface ProviderFactory {
  /** The value of {@code --provider} that chooses it, lower case. */
  String name();

  /**
   * The keys it reads in addition to the core's, each with one line for {@code --help}; any other
   * key is refused.
   */
  Map<String, String> configKeys();

  /** The secret keys among them; none by default. Their values are never shown. */
  default Set<String> secretKeys() {
    return Set.of();
  }

  /**
   * The default of {@code pass-timeout} for a cloud whose changes take minutes; empty for the
   * engine's default.
   */
  default Optional<Duration> passTimeout() {
    return Optional.empty();
  }

  /**
   * Creates the provider for one cluster; sends no request.
   *
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  AllocationImplementation create(ProviderContext context);

  /**
   * The checks that {@code doctor} runs with these settings; sends no request yet.
   *
   * @return {@link Checkup#NOTHING} by default
   * @throws io.tidemark.error.IpamException listing every wrong setting at once
   */
  default Checkup checkup(ProviderContext context) {
    return Checkup.NOTHING;
  }
}

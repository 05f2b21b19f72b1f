package io.tidemark.provider.aws.start;

import java.util.Objects;
import java.util.Optional;

/**
 * What is known without asking.
 *
 * @param region of settings, environment or profile; empty to ask the instance's metadata
 * @param cluster the name from the settings; empty to look for it
 * @param otherwise the name of a cluster for which none is found; empty for none
 */
public record StartupSettings(Optional<String> region, Optional<String> cluster, String otherwise) {
  public StartupSettings {
    Objects.requireNonNull(region, "region");
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(otherwise, "otherwise");
  }
}

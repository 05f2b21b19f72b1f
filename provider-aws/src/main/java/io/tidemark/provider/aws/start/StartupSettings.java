package io.tidemark.provider.aws.start;

import java.util.Optional;

/**
 * The configured values.
 *
 * @param region from settings, environment or profile; empty to read the instance metadata
 * @param cluster the name from the settings; empty to read it from tags
 * @param otherwise the name of a cluster for which none is found; empty for none
 */
public record StartupSettings(
    Optional<String> region, Optional<String> cluster, String otherwise) {}

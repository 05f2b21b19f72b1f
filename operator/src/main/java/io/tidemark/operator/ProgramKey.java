package io.tidemark.operator;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.kubernetes.KubernetesKey;
import io.tidemark.node.config.EngineKey;
import io.tidemark.program.endpoint.MetricsConfig;
import java.util.List;
import java.util.stream.Stream;

/**
 * The settings of the program itself: what is run (node-manager 5.9, 8). {@link ModeChoice} reads
 * them. The page docs/config.md is compared with this list.
 */
final class ProgramKey {
  private static final Options ALL = new Options();

  static final Option<String> PROVIDER =
      ALL.raw("provider", "the cloud; an unknown name lists the known ones");
  static final Option<String> IPAM =
      ALL.raw(
          "ipam",
          "as the agents have it: eni or azure, then the provider is aws or azure unless it is set;"
              + " kubernetes or cluster-pool give nodes pod CIDRs, node-id gives them ids");

  private ProgramKey() {}

  /** These, those of metrics and of the cluster, in the order of the document. */
  static List<Option<?>> all() {
    return Stream.of(ALL.all(), MetricsConfig.settings(), KubernetesKey.all())
        .<Option<?>>flatMap(List::stream)
        .toList();
  }

  /** All settings but the provider's: of the program and of the engine. */
  static List<Option<?>> withEngine() {
    return Stream.of(all(), EngineKey.all()).<Option<?>>flatMap(List::stream).toList();
  }
}

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
      ALL.raw("provider", "cloud provider: aws, azure, mock, or the name of a plugin");
  static final Option<String> IPAM =
      ALL.raw(
          "ipam",
          "the agents' ipam value: eni or azure select the provider; kubernetes or cluster-pool"
              + " give nodes pod CIDRs, node-id ids");
  static final Option<String> PLUGINS =
      ALL.raw(
          "plugins",
          "folder of plugins, each a folder of jars with a provider; on the command line or in"
              + " TIDEMARK_PLUGINS");

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

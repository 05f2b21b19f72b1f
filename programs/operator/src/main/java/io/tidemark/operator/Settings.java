package io.tidemark.operator;

import io.tidemark.cluster.Backend;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigSource;
import io.tidemark.engine.Tidemark;
import io.tidemark.engine.TidemarkBuilder;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.operator.view.EngineView;
import io.tidemark.operator.view.NodeCidrCloud;
import io.tidemark.operator.view.NodesSystem;
import io.tidemark.operator.view.SystemView;
import io.tidemark.program.endpoint.Metering;
import io.tidemark.program.endpoint.MetricsConfig;
import io.tidemark.spi.ProviderFactory;
import java.util.List;
import java.util.Optional;

/**
 * Checked settings of one run of the program.
 *
 * @param choice what is run, and where that was chosen
 * @param provider the cloud of the engine, or the one that nodes follow; empty in a mode without
 *     one
 * @param nodeCidr the settings of the pod CIDRs of nodes; empty in other modes
 * @param nodeId the settings of the ids of nodes; empty in other modes
 * @param source as given, for the provider and the backend
 * @param metrics which are collected
 * @param kubernetes of the Kubernetes API
 * @param ignored what of shared places is known and has no effect
 */
record Settings(
    ModeChoice choice,
    Optional<ProviderFactory> provider,
    Optional<NodeCidrConfig> nodeCidr,
    Optional<NodeIdConfig> nodeId,
    ConfigSource source,
    MetricsConfig metrics,
    KubernetesConfig kubernetes,
    List<ConfigProblem> ignored) {
  Settings {
    ignored = List.copyOf(ignored);
  }

  boolean isEngine() {
    return choice.mode() == ModeChoice.Mode.ENGINE;
  }

  /** The name of the cluster; empty when it is not given, or names none. */
  Optional<String> clusterName() {
    return source.value("cluster-name").filter(name -> !name.equals("default"));
  }

  Metering metering() {
    return switch (choice.mode()) {
      case ENGINE -> Metering.of(metrics, provider.orElseThrow().metricsName());
      case NODE_CIDR -> Metering.of(metrics, provider.map(ProviderFactory::metricsName));
      case NODE_ID -> Metering.ofNode(metrics.enabled());
    };
  }

  /**
   * The system that these settings ask for, not started.
   *
   * @param nodes where its objects are
   */
  SystemView view(NodeOptions nodes, Surroundings surroundings, Metering metering) {
    return view(nodes, surroundings, metering, false);
  }

  /** The same, which changes nothing. */
  SystemView readOnly(NodeOptions nodes, Surroundings surroundings) {
    return view(nodes, surroundings, Metering.off(), true);
  }

  private SystemView view(
      NodeOptions nodes, Surroundings surroundings, Metering metering, boolean readOnly) {
    return switch (choice.mode()) {
      case ENGINE -> engine(nodes, surroundings, metering, readOnly);
      case NODE_CIDR ->
          choice.name().equals("kubernetes")
              ? NodesSystem.ofCidrs(
                  nodeCidr.orElseThrow(),
                  provider.map(factory -> new NodeCidrCloud(factory, source, metering.meters())),
                  metering.meters(),
                  place(nodes.clusterNodes(surroundings, kubernetes), readOnly))
              : NodesSystem.ofPools(
                  choice.name(),
                  nodeCidr.orElseThrow(),
                  metering.meters(),
                  place(nodes.ciliumNodes(surroundings, kubernetes), readOnly));
      case NODE_ID ->
          NodesSystem.ofIds(
              nodeId.orElseThrow(),
              metering.meters(),
              place(nodes.nodeIdBackend(surroundings, this), readOnly));
    };
  }

  private <B extends Backend> NodesSystem.Place<B> place(
      Backend.Opener<B> backend, boolean readOnly) {
    if (!readOnly && kubernetes.taintDelay().isPresent()) {
      throw new IpamException(
          CoreError.USAGE_REFUSED,
          "taint-exhausted-nodes needs a provider; remove it, as ipam="
              + choice.name()
              + " asks no cloud for addresses of pods");
    }
    return new NodesSystem.Place<>(backend, source, kubernetes, readOnly);
  }

  private SystemView engine(
      NodeOptions nodes, Surroundings surroundings, Metering metering, boolean readOnly) {
    ProviderFactory cloud = provider.orElseThrow();
    TidemarkBuilder builder =
        Tidemark.builder()
            .provider(cloud)
            .store(nodes.backend(surroundings, kubernetes, readOnly))
            .settings(source)
            .metrics(metering.meters());
    return new EngineView(cloud.name(), readOnly ? builder.readOnly().build() : builder.build());
  }
}

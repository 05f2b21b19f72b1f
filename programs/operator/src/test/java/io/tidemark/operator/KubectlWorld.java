package io.tidemark.operator;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** The objects of an operator in a cluster, as its Deployment and its processes make them. */
final class KubectlWorld {
  static final String NAMESPACE = "kube-system";

  private KubectlWorld() {}

  /**
   * Makes a Pod on the network of its host, which runs.
   *
   * @param address of its host
   * @param label its {@code app.kubernetes.io/name}
   */
  static void pod(
      KubernetesClient client, String name, String host, String address, int port, String label) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .addToLabels("app.kubernetes.io/name", label)
            .endMetadata()
            .withNewSpec()
            .withHostNetwork(true)
            .withNodeName(host)
            .addNewContainer()
            .withName("operator")
            .withImage("tidemark-operator")
            .addNewPort()
            .withName("metrics")
            .withContainerPort(port)
            .withHostPort(port)
            .endPort()
            .endContainer()
            .endSpec()
            .withNewStatus()
            .withPhase("Running")
            .withPodIP(address)
            .addNewPodIP(address)
            .withHostIP(address)
            .endStatus()
            .build();
    client.resource(pod).create();
    client.resource(pod).updateStatus();
  }

  /** A lease of an hour that a process on {@code host} renewed so many seconds ago. */
  static Lease lease(String name, String host, int secondsAgo) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(NAMESPACE)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity("1@" + host + "_0f8fad5b-d9cb-469f-a165-70867728950e")
        .withLeaseDurationSeconds(3600)
        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC).minusSeconds(secondsAgo))
        .endSpec()
        .build();
  }
}

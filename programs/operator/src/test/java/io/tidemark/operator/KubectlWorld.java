package io.tidemark.operator;

import io.fabric8.kubernetes.api.model.Pod;
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
    String text =
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"NAME","namespace":"kube-system",
          "labels":{"app.kubernetes.io/name":"LABEL"}},
         "spec":{"hostNetwork":true,"nodeName":"HOST","containers":[
           {"name":"operator","image":"tidemark-operator",
            "ports":[{"name":"metrics","containerPort":PORT,"hostPort":PORT}]}]},
         "status":{"phase":"Running","podIP":"ADDRESS","podIPs":[{"ip":"ADDRESS"}],
           "hostIP":"ADDRESS"}}
        """
            .replace("NAME", name)
            .replace("LABEL", label)
            .replace("HOST", host)
            .replace("PORT", Integer.toString(port))
            .replace("ADDRESS", address);
    Pod pod = client.getKubernetesSerialization().unmarshal(text, Pod.class);
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

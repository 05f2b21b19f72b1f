package io.tidemark.kubernetes.leader;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.lease.LeaseSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the operator that leads, by its lease and its Pods, and asks it for its status through the
 * API server. Changes nothing, and never throws for what the server answers. Stateless.
 *
 * @param namespace of the lease and the Pods
 * @param selector of the Pods, as kubectl takes it
 * @param lease its name; empty: of the leases of all modes the first that is held, and where none
 *     is, any leader
 */
public record LeaderSearch(String namespace, String selector, Optional<String> lease) {
  /** The operators of {@code deploy}, and of a Helm release of the program's name. */
  public static final String USUAL_SELECTOR =
      "app.kubernetes.io/name in (tidemark,tidemark-operator,tidemark-node-cidr,tidemark-node-id)";

  /** One lease per mode. */
  private static final List<String> LEASES =
      List.of(LeaseSettings.USUAL_NAME, LeaseSettings.NODE_CIDR_NAME, LeaseSettings.NODE_ID_NAME);

  private static final String PORT = "metrics";
  private static final String RUNNING = "Running";
  private static final List<String> LEADING = List.of("leader", "alone");

  /** Two of each mode run; with more than this the selector is wrong. */
  private static final int PODS_MAX = 6;

  /**
   * Asks; blocks for one request per lease, one for the Pods, and one per Pod until the leader
   * answers. A server that does not answer, or refuses the credentials, is asked once.
   *
   * @param now by the clock of this machine
   */
  public LeaderAnswer ask(ClusterConnection cluster, Instant now) {
    List<String> reasons = new ArrayList<>();
    List<OperatorLease> leases = new ArrayList<>();
    try {
      addLeases(cluster, now, leases, reasons);
      Optional<OperatorLease> held = leases.stream().filter(OperatorLease::isHeld).findFirst();
      Optional<String> wanted = lease.or(() -> held.map(OperatorLease::name));
      List<Pod> pods = pods(cluster, held);
      if (pods.isEmpty()) {
        reasons.add("no Pod of an operator runs in namespace " + namespace);
      }
      for (Pod pod : pods.subList(0, Math.min(pods.size(), PODS_MAX))) {
        Optional<String> status = status(cluster, pod, wanted, reasons);
        if (status.isPresent()) {
          return new LeaderAnswer(
              leases,
              Optional.of(
                  new LeaderAnswer.Leader(
                      name(pod), held.filter(it -> it.isHeldBy(pod)), status.get())),
              "");
        }
      }
    } catch (KubernetesClientException e) {
      reasons.add("the leader cannot be looked for: " + problem(cluster, e));
    }
    return new LeaderAnswer(leases, Optional.empty(), String.join("; ", reasons));
  }

  private void addLeases(
      ClusterConnection cluster, Instant now, List<OperatorLease> found, List<String> reasons) {
    for (String name : lease.map(List::of).orElse(LEASES)) {
      try {
        Optional.ofNullable(cluster.client().leases().inNamespace(namespace).withName(name).get())
            .map(object -> OperatorLease.of(object, now))
            .ifPresent(found::add);
      } catch (KubernetesClientException e) {
        ApiFailure.Kind kind = cluster.failure(e).kind();
        if (kind == ApiFailure.Kind.UNKNOWN || kind == ApiFailure.Kind.UNAUTHORIZED) {
          throw e; // it answers no other request either
        }
        reasons.add("lease " + name + " cannot be read: " + problem(cluster, e));
      }
    }
  }

  /** The running ones, that of the holder first. */
  private List<Pod> pods(ClusterConnection cluster, Optional<OperatorLease> held) {
    return cluster
        .client()
        .pods()
        .inNamespace(namespace)
        .withLabelSelector(selector)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getStatus() != null && RUNNING.equals(pod.getStatus().getPhase()))
        .sorted(
            Comparator.comparing((Pod pod) -> held.stream().noneMatch(it -> it.isHeldBy(pod)))
                .thenComparing(LeaderSearch::name))
        .toList();
  }

  /** The Pod's answer, when it leads by the wanted lease; else a reason is added. */
  private static Optional<String> status(
      ClusterConnection cluster, Pod pod, Optional<String> wanted, List<String> reasons) {
    Optional<Integer> port = port(pod);
    if (port.isEmpty()) {
      reasons.add("Pod " + name(pod) + " has no port " + PORT);
      return Optional.empty();
    }
    String path =
        "/api/v1/namespaces/"
            + pod.getMetadata().getNamespace()
            + "/pods/"
            + pod.getMetadata().getName()
            + ':'
            + port.get()
            + "/proxy/status";
    try {
      String answer = cluster.send("GET", path, null);
      LeadershipJson its = LeadershipJson.read(answer);
      String why;
      if (its.leading().isEmpty()) {
        why = " answers with no status";
      } else if (!its.lease().isEmpty() && !its.lease().equals(wanted.orElse(its.lease()))) {
        why = " uses the lease " + its.lease();
      } else if (LEADING.contains(its.leading())) {
        return Optional.of(answer);
      } else {
        why = " is on " + its.leading();
      }
      reasons.add("Pod " + name(pod) + why);
    } catch (KubernetesClientException e) {
      reasons.add("Pod " + name(pod) + " cannot be asked: " + problem(cluster, e));
    }
    return Optional.empty();
  }

  private static Optional<Integer> port(Pod pod) {
    for (Container container : pod.getSpec().getContainers()) {
      for (ContainerPort port : container.getPorts()) {
        if (PORT.equals(port.getName())) {
          return Optional.of(port.getContainerPort());
        }
      }
    }
    return Optional.empty();
  }

  private static String name(Pod pod) {
    return pod.getMetadata().getNamespace() + '/' + pod.getMetadata().getName();
  }

  /** On one line, without a full stop. */
  static String problem(ClusterConnection cluster, KubernetesClientException e) {
    ApiFailure failure = cluster.failure(e);
    String text = String.join(" ", failure.text().strip().split("\\s+", -1));
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }
}

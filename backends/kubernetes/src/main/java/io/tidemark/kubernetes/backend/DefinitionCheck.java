package io.tidemark.kubernetes.backend;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.APIResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.Rounds;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the API server every half minute whether it serves CiliumNodes and their status, which
 * somebody can take away while the operator runs. A watch does not tell: when the definition is
 * deleted, all objects are deleted, as if there were no nodes. A server that does not tell what it
 * serves changes nothing. Thread-safe; never blocks.
 */
final class DefinitionCheck implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DefinitionCheck.class);
  private static final String GROUP = "/apis/cilium.io/v2";
  private static final String OBJECTS = "ciliumnodes";
  private static final String STATUS = OBJECTS + "/status";
  private static final Duration PAUSE = Duration.ofSeconds(30);

  /** While something is missing: who has just mended it is waiting. */
  private static final Duration PAUSE_WHILE_MISSING = Duration.ofSeconds(5);

  private final ClusterConnection cluster;
  private final Rounds rounds;
  private final EffectRunner effects;
  private volatile Optional<String> trouble = Optional.empty();

  private DefinitionCheck(
      ClusterConnection cluster, TaskScheduler scheduler, EffectRunner effects) {
    this.cluster = cluster;
    this.rounds = new Rounds(scheduler);
    this.effects = effects;
  }

  /** Asks at once, and again and again until it is closed. */
  static DefinitionCheck start(
      ClusterConnection cluster, TaskScheduler scheduler, EffectRunner effects) {
    DefinitionCheck started = new DefinitionCheck(cluster, scheduler, effects);
    started.ask();
    return started;
  }

  /**
   * The missing part of the server's definitions, and the remedy; empty while nothing is known to
   * be missing.
   */
  Optional<String> trouble() {
    return trouble;
  }

  private void ask() {
    effects
        .run(new EffectSite("discover", ""), cluster.requestTimeout(), this::served)
        .stage()
        .whenComplete((served, thrown) -> answered(served, thrown));
  }

  /** The resources of the group, with subresources. */
  private Set<String> served() {
    try {
      List<APIResource> resources =
          cluster
              .client()
              .getKubernetesSerialization()
              .unmarshal(cluster.send("GET", GROUP, null), APIResourceList.class)
              .getResources();
      return resources.stream().map(APIResource::getName).collect(Collectors.toSet());
    } catch (KubernetesClientException e) {
      if (ApiFailure.of(e).kind() == ApiFailure.Kind.NOT_FOUND) {
        return Set.of();
      }
      throw e;
    }
  }

  private void answered(@Nullable Set<String> served, @Nullable Throwable thrown) {
    if (served != null) {
      found(missing(served));
    } else {
      LOG.debug("The API server does not tell whether it serves CiliumNodes", thrown);
    }
    rounds.after(trouble.isPresent() ? PAUSE_WHILE_MISSING : PAUSE, this::ask);
  }

  /** The part that is missing in {@code served}, for people. */
  private static Optional<String> missing(Set<String> served) {
    if (served.contains(OBJECTS) && served.contains(STATUS)) {
      return Optional.empty();
    }
    String detail =
        served.contains(OBJECTS)
            ? "the CustomResourceDefinition of CiliumNodes has no subresource status"
            : "the API server has no CiliumNodes";
    return Optional.of(
        String.valueOf(new IpamException(CoreError.DEFINITION_UNSUITABLE, detail).getMessage()));
  }

  private void found(Optional<String> now) {
    Optional<String> before = trouble;
    trouble = now;
    if (now.isPresent() && !now.equals(before)) {
      LOG.warn("{}", now.get());
    } else if (now.isEmpty() && before.isPresent()) {
      LOG.info("The API server serves CiliumNodes and their status again");
    }
  }

  @Override
  public void close() {
    rounds.close();
  }
}

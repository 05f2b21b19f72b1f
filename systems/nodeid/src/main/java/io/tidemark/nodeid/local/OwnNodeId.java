package io.tidemark.nodeid.local;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.error.IpamException;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.claim.ClaimName;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.BackoffPolicy;
import io.tidemark.time.BackoffState;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Claims the id of the agent's own node, where no operator does: the one that the node holds
 * already, else the lowest that nobody holds. An id that another agent takes first is followed by
 * the next one, without another list. Used once; one request at a time.
 */
public final class OwnNodeId {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private final String node;
  private final String uid;
  private final long capacity;
  private final ClaimStore claims;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final RandomGenerator random;
  private final CompletableFuture<NodeId> found = new CompletableFuture<>();
  private final Set<NodeId> taken = new HashSet<>();
  private BackoffState backoff = BackoffState.NONE;
  private long deadlineNanos;

  /**
   * Of the node of this name and uid, empty where the backend has none. {@code capacity} is the
   * highest id; {@code scheduler} runs pauses on the thread that takes answers as well.
   */
  public OwnNodeId(
      String node,
      String uid,
      long capacity,
      ClaimStore claims,
      TaskScheduler scheduler,
      EffectRunner effects,
      RandomGenerator random) {
    this.node = node;
    this.uid = uid;
    this.capacity = capacity;
    this.claims = claims;
    this.scheduler = scheduler;
    this.effects = effects;
    this.random = random;
  }

  /**
   * Claims.
   *
   * @param within how long to go on when the backend does not answer
   * @return the id; exceptionally with an {@link IpamException}: {@link
   *     NodeIdError#NODE_ID_EXHAUSTED}, {@link NodeIdError#CLAIMS_FORBIDDEN}, or {@link
   *     NodeIdError#AWAITING_POD_CIDR} when the time is over
   */
  public CompletionStage<NodeId> claim(Duration within) {
    deadlineNanos = scheduler.time().nanos() + within.toNanos();
    list();
    return found;
  }

  private <A> void send(String operation, Callable<A> leaf, Consumer<A> answered, Runnable again) {
    effects
        .run(new EffectSite(operation, node), TIMEOUT, leaf)
        .stage()
        .handle(
            (answer, thrown) -> {
              if (thrown == null) {
                answered.accept(answer);
              } else {
                later(again, String.valueOf(thrown));
              }
              return node;
            });
  }

  private void list() {
    send(
        "listClaims",
        claims::list,
        end -> {
          if (end instanceof CatchUp.Failed failed) {
            later(this::list, failed.detail());
          } else {
            claims.names().forEach(name -> ClaimName.id(name).ifPresent(taken::add));
            own().ifPresentOrElse(this::keep, this::createNext);
          }
        },
        this::list);
  }

  private Optional<Claim> own() {
    return claims.names().stream()
        .filter(name -> ClaimName.id(name).isPresent())
        .flatMap(name -> claims.latest(name).stream())
        .filter(claim -> claim.holder().equals(node))
        .min(Comparator.comparing(claim -> ClaimName.id(claim.name()).orElseThrow()));
  }

  private void keep(Claim claim) {
    if (claim.isHeldBy(node, uid)) {
      found.complete(ClaimName.id(claim.name()).orElseThrow());
      return;
    }
    send(
        "updateClaim",
        () -> claims.update(claim, node, uid),
        end -> {
          if (end instanceof ClaimChange.Stored stored) {
            keep(stored.claim());
          } else {
            ended(end, this::list);
          }
        },
        this::list);
  }

  private void createNext() {
    for (long id = 1; id <= capacity; id++) {
      if (!taken.contains(NodeId.of(id))) {
        create(NodeId.of(id), false);
        return;
      }
    }
    fail(NodeIdError.NODE_ID_EXHAUSTED, "all " + capacity + " ids are claimed");
  }

  /** Creates a claim, which an earlier request may have made if {@code uncertain}. */
  private void create(NodeId id, boolean uncertain) {
    send(
        "createClaim",
        () -> claims.create(ClaimName.of(id), node, uid),
        end -> {
          if (end instanceof ClaimChange.Stored) {
            found.complete(id);
          } else if (end instanceof ClaimChange.Exists && uncertain) {
            read(id);
          } else if (end instanceof ClaimChange.Exists) {
            taken.add(id);
            createNext();
          } else {
            ended(end, () -> create(id, uncertain || end instanceof ClaimChange.Unknown));
          }
        },
        () -> create(id, true));
  }

  private void read(NodeId id) {
    send(
        "getClaim",
        () -> claims.get(ClaimName.of(id)),
        reading -> {
          if (reading instanceof ClaimStore.Reading.Failed failed) {
            later(() -> read(id), failed.detail());
          } else if (reading instanceof ClaimStore.Reading.Found it
              && it.claim().isHeldBy(node, uid)) {
            found.complete(id);
          } else {
            taken.add(id);
            createNext();
          }
        },
        () -> read(id));
  }

  private void ended(ClaimChange end, Runnable again) {
    if (end instanceof ClaimChange.Refused refused) {
      fail(NodeIdError.CLAIMS_FORBIDDEN, refused.detail());
    } else {
      later(again, String.valueOf(end));
    }
  }

  private void later(Runnable again, String why) {
    long now = scheduler.time().nanos();
    if (now - deadlineNanos >= 0) {
      fail(NodeIdError.AWAITING_POD_CIDR, "the id of node " + node + " is not known: " + why);
      return;
    }
    backoff = backoff.failed(BackoffPolicy.REQUEST, now);
    Duration pause = BackoffPolicy.REQUEST.pause(backoff.failures(), random);
    scheduler.after(pause, again);
  }

  private void fail(NodeIdError code, String detail) {
    found.completeExceptionally(new IpamException(code, detail));
  }
}

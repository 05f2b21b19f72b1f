package io.tidemark.agent.multipool;

import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.CidrStates.Recalled;
import io.tidemark.agent.multipool.RememberedCidr.State;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Carries the blocks of pools over a restart, where monotonic time begins anew. What is kept last
 * may be set by another thread than the caller's.
 */
final class CidrHistory {
  private final TimeSource time;
  private final QuarantineRule rule;
  private Optional<List<RememberedCidr>> stored;
  private volatile CidrMemory memory = CidrMemory.NONE;
  private volatile Optional<List<RememberedCidr>> kept;

  /**
   * The blocks that an earlier process stored.
   *
   * @param stored empty when there is no record, so that dropped blocks are not known
   */
  CidrHistory(Optional<List<RememberedCidr>> stored, TimeSource time, QuarantineRule rule) {
    this.stored = stored.map(List::copyOf);
    this.kept = this.stored;
    this.time = time;
    this.rule = rule;
  }

  /** No process was here before: without a record, nothing was dropped. */
  void isFirstProcess() {
    stored = stored.or(() -> Optional.of(List.of()));
  }

  /** The states of a pool with which a process begins. */
  CidrStates states(PoolName pool, IpFamily family) {
    if (stored.isEmpty()) {
      return CidrStates.EMPTY;
    }
    Map<Cidr, Recalled> recalled = new HashMap<>();
    for (RememberedCidr each : stored.get()) {
      if (each.pool().equals(pool) && each.cidr().family() == family) {
        recalled.put(each.cidr(), recalled(each));
      }
    }
    return CidrStates.recalling(recalled);
  }

  private Recalled recalled(RememberedCidr was) {
    long now = time.nanos();
    long ahead = was.epochMillis() - time.epochMillis();
    return switch (was.state()) {
      case DRAWN, DROPPED, ADOPTED_AGAIN -> new Recalled(was.state(), now);
      case QUARANTINED -> {
        // A clock that was set back must not make the pause longer.
        Duration left = Duration.ofMillis(Math.max(0, ahead));
        Duration most = left.compareTo(rule.pause()) > 0 ? rule.pause() : left;
        yield new Recalled(State.QUARANTINED, now + most.toNanos());
      }
      case ADOPTED ->
          ahead > 0
              ? new Recalled(State.ADOPTED_AGAIN, now)
              : new Recalled(State.ADOPTED, now - TimeUnit.MILLISECONDS.toNanos(-ahead));
    };
  }

  /** The blocks that the next process must know. */
  List<RememberedCidr> remembered(PoolName pool, CidrStates states) {
    List<RememberedCidr> all = new ArrayList<>();
    for (CidrEntry each : states.entries()) {
      State state = state(each.phase());
      boolean timed = state == State.QUARANTINED || state == State.ADOPTED;
      long ahead = TimeUnit.NANOSECONDS.toMillis(each.nanos() - time.nanos());
      all.add(new RememberedCidr(pool, each.cidr(), state, timed ? time.epochMillis() + ahead : 0));
    }
    states.dropped().forEach(each -> all.add(new RememberedCidr(pool, each, State.DROPPED, 0)));
    return all;
  }

  /** The next process sees by the object whether an agent has written its demand. */
  private static State state(CidrEntry.Phase phase) {
    return phase == CidrEntry.Phase.FIRST ? State.ADOPTED : State.valueOf(phase.name());
  }

  void keptBy(CidrMemory keeper) {
    memory = keeper;
  }

  /** Has this kept, unless it is what was kept last. */
  CompletionStage<Optional<String>> persist(List<RememberedCidr> all) {
    if (kept.equals(Optional.of(all))) {
      return CompletableFuture.completedStage(Optional.empty());
    }
    return memory
        .store(all)
        .thenApply(
            failure -> {
              kept = failure.isEmpty() ? Optional.of(all) : Optional.empty();
              return failure;
            });
  }
}

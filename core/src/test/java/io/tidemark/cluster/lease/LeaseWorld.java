package io.tidemark.cluster.lease;

import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualProcess;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One API server that keeps one lease, and operators that want it, all in virtual time. */
final class LeaseWorld {
  static final LeaseTiming TIMING = LeaseTiming.USUAL;

  final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  final List<Contender> contenders = new ArrayList<>();
  private @Nullable LeaseRecord stored;
  private long version;

  /** Requests fail with {@link #outage} while this is set. */
  boolean serverAway;

  RuntimeException outage = new IllegalStateException("the API server is away");

  /** Requests that arrived until now, those that failed included. */
  int requests;

  /** An operator: a process with clocks of its own. */
  final class Contender {
    final VirtualProcess process;
    final LeaderLease lease;
    final List<String> lost = new ArrayList<>();
    Map<String, String> notes = Map.of();
    @Nullable Map<String, String> inherited;

    Contender(String name, EffectModel model) {
      process = time.process(name);
      lease =
          new LeaderLease(
              new Port(process), name, TIMING, process, process.effects(model), () -> notes);
      lease.won().thenAccept(left -> inherited = left);
      lease.lost().thenAccept(lost::add);
    }

    boolean leads() {
      return process.isAlive() && lease.isOpen();
    }
  }

  Contender contender(String name) {
    return contender(
        name, (site, at) -> EffectFate.answered(Duration.ofMillis(5), Duration.ofMillis(5)));
  }

  Contender contender(String name, EffectModel model) {
    Contender made = new Contender(name, model);
    contenders.add(made);
    made.lease.start();
    return made;
  }

  void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  /** How long until {@code contender} leads. */
  Duration untilLeads(Contender contender) {
    long from = time.nanos();
    while (!contender.leads()) {
      if (time.nanos() - from > Duration.ofMinutes(5).toNanos() || !time.step()) {
        throw new AssertionError(contender.process.name() + " does not lead");
      }
    }
    return Duration.ofNanos(time.nanos() - from);
  }

  LeaseRecord stored() {
    if (stored == null) {
      throw new AssertionError("there is no lease");
    }
    return stored;
  }

  void delete() {
    stored = null;
  }

  /** The API server's behaviour: writes on an old version are refused. */
  private final class Port implements LeasePort {
    private final VirtualProcess process;

    Port(VirtualProcess process) {
      this.process = process;
    }

    @Override
    public String server() {
      return "https://api.example";
    }

    @Override
    public Optional<LeaseRecord> read() {
      check();
      return Optional.ofNullable(stored);
    }

    @Override
    public Optional<LeaseRecord> create(Claim claim) {
      check();
      return stored == null ? Optional.of(store(claim)) : Optional.empty();
    }

    @Override
    public Optional<LeaseRecord> write(String written, Claim claim) {
      check();
      return stored != null && stored.version().equals(written)
          ? Optional.of(store(claim))
          : Optional.empty();
    }

    private void check() {
      requests++;
      if (serverAway) {
        throw outage;
      }
    }

    private LeaseRecord store(Claim claim) {
      stored =
          new LeaseRecord(
              "lease-1",
              Long.toString(++version),
              claim.holder(),
              claim.holder().isEmpty() ? Duration.ofSeconds(1) : claim.timing().lease(),
              Long.toString(process.clock().epochMillis()),
              claim.transitions(),
              Optional.of(Instant.ofEpochMilli(time.time().epochMillis())),
              stored == null ? claim.notes() : stored.notesAfter(claim.notes()));
      return stored;
    }
  }
}

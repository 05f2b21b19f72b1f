package io.tidemark.simulation.store;

import io.tidemark.cluster.lease.LeasePort;
import io.tidemark.cluster.lease.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The API server's one lease: a write on an old version is refused. Used by the simulation's thread
 * alone.
 */
public final class SimulatedLease implements LeasePort {
  private static final Duration GIVEN_BACK = Duration.ofSeconds(1);

  private @Nullable LeaseRecord stored;
  private long version;

  @Override
  public String server() {
    return "the simulated store";
  }

  @Override
  public Optional<LeaseRecord> read() {
    return Optional.ofNullable(stored);
  }

  @Override
  public Optional<LeaseRecord> create(Claim claim) {
    return stored == null ? Optional.of(store(claim)) : Optional.empty();
  }

  @Override
  public Optional<LeaseRecord> write(String written, Claim claim) {
    return stored != null && stored.version().equals(written)
        ? Optional.of(store(claim))
        : Optional.empty();
  }

  private LeaseRecord store(Claim claim) {
    version++;
    LeaseRecord written =
        new LeaseRecord(
            "lease",
            Long.toString(version),
            claim.holder(),
            claim.holder().isEmpty() ? GIVEN_BACK : claim.timing().lease(),
            Long.toString(version),
            claim.transitions(),
            Optional.empty(),
            stored == null ? claim.notes() : stored.notesAfter(claim.notes()));
    stored = written;
    return written;
  }
}

package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointData.Extension;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How a store takes up what a checkpoint says.
 *
 * @param family of the addresses that pods get
 * @param phase where the checkpoint comes from
 * @param bootId the present boot of the machine; empty when unknown. Assignments of another boot
 *     are those of sandboxes that have ended, at the latest when the machine started
 * @param bootAge how long ago the machine started; zero when unknown
 * @param unnoted how long ago the addresses that are not assigned were released; empty when the
 *     checkpoint says which of them cool
 * @param grace how long an assignment is kept whose address the node does not have
 * @param alive whether the sandbox of an assignment exists; when it throws, all do
 */
public record RecoveryRules(
    IpFamily family,
    MigrationPhase phase,
    String bootId,
    Duration bootAge,
    Optional<Duration> unnoted,
    Duration grace,
    Predicate<CheckpointEntry> alive) {
  /** The usual {@link #grace}. */
  public static final Duration GRACE = Duration.ofMinutes(5);

  /** Rules without a boot, by which every sandbox exists and addresses cool as noted. */
  public static RecoveryRules of(IpFamily family) {
    return new RecoveryRules(
        family, MigrationPhase.FILE, "", Duration.ZERO, Optional.empty(), GRACE, entry -> true);
  }

  /** The same rules in another phase. */
  public RecoveryRules withPhase(MigrationPhase other) {
    return new RecoveryRules(family, other, bootId, bootAge, unnoted, grace, alive);
  }

  /** The same rules in another boot. */
  public RecoveryRules withBoot(String boot) {
    return new RecoveryRules(family, phase, boot, bootAge, unnoted, grace, alive);
  }

  /** The same rules in a boot that began so long ago. */
  public RecoveryRules withBootAge(Duration age) {
    return new RecoveryRules(family, phase, bootId, age, unnoted, grace, alive);
  }

  /** The same rules with another grace. */
  public RecoveryRules withGrace(Duration other) {
    return new RecoveryRules(family, phase, bootId, bootAge, unnoted, other, alive);
  }

  /** The same rules with a test of the sandboxes. */
  public RecoveryRules withAlive(Predicate<CheckpointEntry> test) {
    return new RecoveryRules(family, phase, bootId, bootAge, unnoted, grace, test);
  }

  /**
   * The same rules for a checkpoint that may not say which addresses cool (eni-datastore R6).
   * Without a file nothing was assigned since the machine started. Another program's file, and one
   * that lacks the last write or was damaged, are of unknown age: the addresses count as released
   * now, or when the machine started if the file is older than that.
   */
  public RecoveryRules coolingUnnoted(Read read) {
    Optional<Duration> age = Optional.of(Duration.ZERO);
    if (read instanceof Read.Absent absent && absent.problem().isEmpty()) {
      age = Optional.of(bootAge);
    } else if (read instanceof Read.Current current && current.data().extension().isPresent()) {
      age = Optional.empty();
    } else if (read instanceof Read.Previous previous && isOfAnotherBoot(previous.data())) {
      age = Optional.of(bootAge);
    }
    return new RecoveryRules(family, phase, bootId, bootAge, age, grace, alive);
  }

  /** Whether the machine was started since a checkpoint was written. */
  boolean isOfAnotherBoot(CheckpointData data) {
    String written = data.extension().map(Extension::bootId).orElse("");
    return !written.isEmpty() && !bootId.isEmpty() && !written.equals(bootId);
  }
}

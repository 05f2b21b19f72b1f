package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.ip.IpFamily;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * How a store takes up what a checkpoint says.
 *
 * @param family of the addresses that pods get
 * @param phase where the checkpoint comes from
 * @param bootId the present boot of the machine; empty when unknown. Assignments of another boot
 *     are those of sandboxes that have ended
 * @param unassigned what happens to the addresses that are not assigned
 * @param alive whether the sandbox of an assignment exists; when it throws, all do
 */
public record RecoveryRules(
    IpFamily family,
    MigrationPhase phase,
    String bootId,
    Unassigned unassigned,
    Predicate<CheckpointEntry> alive) {
  /** What happens to the addresses that are not assigned. */
  public enum Unassigned {
    /** They cool when the checkpoint says so. */
    COOL_AS_NOTED,
    /** They all cool for one period: it is not known which were released not long ago. */
    ALL_COOL
  }

  public RecoveryRules {
    Objects.requireNonNull(family, "family");
    Objects.requireNonNull(phase, "phase");
    Objects.requireNonNull(bootId, "bootId");
    Objects.requireNonNull(unassigned, "unassigned");
    Objects.requireNonNull(alive, "alive");
  }

  /** Rules without a boot, by which every sandbox exists and addresses cool as noted. */
  public static RecoveryRules of(IpFamily family) {
    return new RecoveryRules(
        family, MigrationPhase.FILE, "", Unassigned.COOL_AS_NOTED, entry -> true);
  }

  /** The same rules in another phase. */
  public RecoveryRules withPhase(MigrationPhase other) {
    return new RecoveryRules(family, other, bootId, unassigned, alive);
  }

  /** The same rules in another boot. */
  public RecoveryRules withBoot(String boot) {
    return new RecoveryRules(family, phase, boot, unassigned, alive);
  }

  /** The same rules with a test of the sandboxes. */
  public RecoveryRules withAlive(Predicate<CheckpointEntry> test) {
    return new RecoveryRules(family, phase, bootId, unassigned, test);
  }

  /**
   * The same rules with {@link Unassigned#ALL_COOL} where the checkpoint does not say what cools:
   * another program wrote it, or it lacks the last write.
   */
  public RecoveryRules coolingUnnoted(Read read) {
    boolean noted =
        read instanceof Read.Absent
            || (read instanceof Read.Current current && current.data().extension().isPresent());
    Unassigned rule = noted ? Unassigned.COOL_AS_NOTED : Unassigned.ALL_COOL;
    return new RecoveryRules(family, phase, bootId, rule, alive);
  }
}

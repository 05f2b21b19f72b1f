package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.MigrationPhase;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The start of a store after the program, or the machine, ended: with another cooldown, another
 * boot, a list of addresses that lags behind or names some twice, and a file with an address twice.
 */
record RandomRestart(
    TestStore node, StoreModel model, IpFamily family, RandomRequests requests, List<String> log) {
  private static final List<Fault> FAULTS = List.of(Fault.values());

  static CooldownRule rule(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> new CooldownRule(Duration.ZERO, Duration.ZERO);
      case 1 -> new CooldownRule(Duration.ofSeconds(20), Duration.ofSeconds(20));
      case 2 -> new CooldownRule(Duration.ofSeconds(40), Duration.ofSeconds(10));
      default -> new CooldownRule(Duration.ofSeconds(20), Duration.ofSeconds(5));
    };
  }

  /** Answered changes must be there; what was under way may be. */
  void restart(Random random) {
    node.files.restart();
    losePower(random);
    node.slow(null);
    CheckpointData data = read(random);
    boolean rebooted = random.nextInt(12) == 0;
    boolean late = node.store.unhealthy().isPresent();
    Set<Cidr> missing = missing(random);
    CooldownRule before = model.rule;
    if (random.nextInt(4) == 0) {
      model.rule = rule(random);
      log.add("cooldown " + model.rule);
    }
    node.cooldown = model.rule;
    node.files.restart();
    node.restarted();
    ends(missing);
    add(random);
    Optional<Twice> twice = rebooted ? Optional.empty() : twice(random, data);
    if (twice.isPresent()) {
      List<CheckpointEntry> more = new ArrayList<>(data.allocations());
      more.add(random.nextInt(more.size() + 1), twice.get().other());
      data = new CheckpointData(more, data.extension(), data.unknown());
    }
    Duration bootAge = Duration.ofSeconds(random.nextInt(random.nextInt(4) == 0 ? 400 : 30));
    Optional<Duration> unnoted =
        switch (random.nextInt(10)) {
          case 0 -> Optional.of(Duration.ZERO);
          case 1 -> Optional.of(bootAge);
          default -> Optional.empty();
        };
    log.add("released " + unnoted + (rebooted ? ", another boot since " + bootAge : ""));
    node.recover(
        data,
        new RecoveryRules(
            family,
            MigrationPhase.FILE,
            rebooted ? "boot-2" : "boot-1",
            bootAge,
            unnoted,
            RecoveryRules.GRACE,
            entry -> true));
    RecoveredModel recovered = new RecoveredModel(node, model, family, requests);
    recovered.noted(before);
    if (rebooted) {
      recovered.ended(bootAge, late);
    } else if (late) {
      recovered.unsure();
    }
    recovered.placed(twice, rebooted);
    unnoted.ifPresent(recovered::coolAll);
    if (random.nextInt(3) == 0) {
      log.add("growth impossible");
      node.store.growable(false);
      model.growable = false;
    }
    requests.open.clear();
    requests.written();
  }

  private void losePower(Random random) {
    if (random.nextBoolean()) {
      node.files.losePower(random);
      log.add("power lost");
    }
  }

  private void mayEnd(Random random) {
    if (random.nextInt(3) == 0) {
      Fault fault = FAULTS.get(random.nextInt(FAULTS.size()));
      int change = random.nextInt(8);
      log.add(fault + " at change " + change);
      node.files.fault(node.files.changes().size() + change, fault, random.nextInt(400));
    }
  }

  /** A start that fails while it reads, or crashes, is followed by another one. */
  private CheckpointData read(Random random) {
    mayEnd(random);
    try {
      return node.read();
    } catch (IOException | Crash e) {
      log.add("start failed");
    }
    node.files.restart();
    losePower(random);
    try {
      return node.read();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  // ---- what the node has

  /** Blocks that the list of addresses does not have yet. */
  private Set<Cidr> missing(Random random) {
    Set<Cidr> missing = new HashSet<>();
    if (random.nextInt(4) == 0) {
      model.blocks.keySet().stream().filter(each -> random.nextBoolean()).forEach(missing::add);
      log.add("without " + missing);
    }
    return missing;
  }

  /** The parts that end with the program. */
  private void ends(Set<Cidr> missing) {
    model.blocks.keySet().removeAll(missing);
    model.returning.clear();
    model.draining.clear();
    model.growable = true;
    model.noAddress = 0;
    model.forceRemovedEnis = 0;
    model.forceRemovedAddresses = 0;
    model.cutShort = 0;
    long now = node.time.nanos();
    model.enis.replaceAll((eni, added) -> now);
  }

  /** Some are named twice. */
  private void add(Random random) {
    model.enis.keySet().forEach(eni -> node.with(RandomStoreOperations.eni(eni)));
    boolean doubled = random.nextInt(4) == 0;
    model.blocks.forEach(
        (block, what) -> {
          assertThat(node.store.addCidr(what.eni(), block, what.kind())).isEmpty();
          if (doubled) {
            assertThat(node.store.addCidr("eni-0", block, what.kind())).as("twice").isPresent();
          }
        });
    model.excluded.forEach(eni -> assertThat(node.store.exclude(eni, true)).isEmpty());
  }

  /** An entry of another sandbox with an address that one has. */
  record Twice(CheckpointEntry one, CheckpointEntry other) {
    CheckpointEntry later() {
      return one.epochNanos() > other.epochNanos() ? one : other;
    }
  }

  private Optional<Twice> twice(Random random, CheckpointData data) {
    String pod = RandomRequests.pod(random);
    boolean later = random.nextBoolean();
    boolean known =
        Stream.concat(data.allocations().stream(), orphans(data))
            .anyMatch(it -> pod.equals(name(it)));
    if (data.allocations().isEmpty() || random.nextInt(4) > 0 || known) {
      return Optional.empty();
    }
    CheckpointEntry one = data.allocations().get(random.nextInt(data.allocations().size()));
    long nanos = one.epochNanos() + (later ? 1 : -1);
    log.add(pod + (later ? " after " : " before ") + name(one));
    IpAddress ip = one.address(family).orElseThrow();
    CheckpointEntry other = CheckpointEntry.of(TestStore.key(pod), ip, nanos, TestStore.POD);
    return Optional.of(new Twice(one, other));
  }

  private static Stream<CheckpointEntry> orphans(CheckpointData data) {
    return data.extension().stream().flatMap(each -> each.orphans().stream());
  }

  static String name(CheckpointEntry entry) {
    return entry.key().containerId();
  }
}

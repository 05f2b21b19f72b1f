package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.StoreModel.Block;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.file.CrashingFiles;
import io.tidemark.file.CrashingFiles.Crash;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;

/** One random step after the other, on a store with a file that fails and on its model. */
final class RandomStoreOperations {
  /** Kinds of steps, and how often each comes among so many. */
  enum Kind {
    REQUESTS(8),
    ADD(5),
    REMOVE(2),
    REMOVE_ENI(1),
    EXCLUDE(1),
    GIVE_BACK(3),
    END_RETURN(3),
    DRAIN(3),
    END_DRAIN(2),
    CONFIRM(1),
    EMPTY_KEY(1),
    GROWTH(2),
    CLOCK(1),
    PASS(3),
    RESTART(3);

    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }
  }

  /**
   * A step as data: leaving out others changes nothing about what it does.
   *
   * @param seed from which all else about it is drawn
   */
  record Step(Kind kind, long seed) {}

  private final IpFamily family;
  private final TestStore node;
  private final StoreModel model;
  private final RandomRequests requests;
  private final RandomRestart restart;
  private final RandomReturns returns;
  private final StoreChecks checks;
  private final List<String> log = new ArrayList<>();
  private int crashes;

  RandomStoreOperations(long seed) {
    Random random = new Random(seed);
    CidrKind mode = random.nextInt(3) == 0 ? CidrKind.SECONDARY : CidrKind.PREFIX;
    family = mode == CidrKind.PREFIX && random.nextBoolean() ? IpFamily.IPV6 : IpFamily.IPV4;
    CooldownRule rule = RandomRestart.rule(random);
    log.add(mode + " " + family + " " + rule);
    node = new TestStore(mode, rule, new VirtualTime(1_700_000_000_000L), new CrashingFiles());
    model = new StoreModel(mode, rule);
    requests = new RandomRequests(node, model, family, log);
    restart = new RandomRestart(node, model, family, requests, log);
    returns = new RandomReturns(node, model, family, requests, log);
    checks = new StoreChecks(node, model, family, requests);
    for (int i = 0; i < 3; i++) {
      addEni("eni-" + i);
    }
    node.recover(node.inFile(), RecoveryRules.of(family));
  }

  /** The first is primary; the last one is a trunk. */
  static StoreEniSpec eni(String id) {
    int device = id.charAt(id.length() - 1) - '0';
    return new StoreEniSpec(
        id,
        device,
        device == 0,
        device == 2,
        false,
        StoreEniSpec.routeTable(0, device),
        "subnet-1");
  }

  private void addEni(String id) {
    node.with(eni(id));
    model.enis.put(id, node.time.nanos());
  }

  int grants() {
    return requests.grants;
  }

  int crashes() {
    return crashes;
  }

  int failures() {
    return requests.failures;
  }

  @Override
  public String toString() {
    return String.join("; ", log);
  }

  static String anyEni(Random random) {
    return "eni-" + random.nextInt(3);
  }

  // ---- steps

  /** Does one, and checks all that must hold after it. */
  void step(Step step) {
    Random random = new Random(step.seed());
    log.add(step.kind().name().toLowerCase(Locale.ROOT));
    switch (step.kind()) {
      case REQUESTS -> requests(random);
      case ADD -> add(random);
      case REMOVE -> remove(random);
      case REMOVE_ENI -> removeEni(random);
      case EXCLUDE -> exclude(random);
      case GIVE_BACK -> returns.giveBack(random);
      case END_RETURN -> returns.endReturn(random);
      case DRAIN -> returns.drain(random);
      case END_DRAIN -> returns.endDrain(random);
      case CONFIRM -> returns.confirm(random);
      case EMPTY_KEY -> emptyKey();
      case GROWTH -> growth();
      case CLOCK -> clock(random);
      case PASS -> pass(random);
      case RESTART -> restart(random);
    }
    checks.check();
  }

  /**
   * All sandboxes end and nothing is given back after all: once nothing cools, each block can be
   * given back, and each address is given out.
   */
  void end() {
    log.add("end");
    returns.rollBack();
    requests.releaseAll();
    Set.copyOf(model.excluded).forEach(this::include);
    node.pass(model.rule.period().plusSeconds(1));
    checks.check();
    List<IpAddress> free = model.open();
    ReturnTicket all = node.store.reserveForReturn(family, model.mode, Integer.MAX_VALUE);
    assertThat(all.parts().stream().flatMap(each -> each.cidr().stream()))
        .as("DI11 what can be given back")
        .containsExactlyInAnyOrderElementsOf(
            model.blocks.keySet().stream().filter(model::isOpen).toList());
    all.rollback();
    assertThat(requests.grants(free.size() + 1))
        .as("DI11 what is free is given out")
        .containsExactlyInAnyOrderElementsOf(free);
  }

  private void include(String eni) {
    model.excluded.remove(eni);
    assertThat(node.store.exclude(eni, false)).isEmpty();
  }

  private void requests(Random random) {
    try {
      requests.make(random);
      if (random.nextInt(8) > 0) {
        requests.finish();
        return;
      }
      log.add("killed");
    } catch (Crash e) {
      log.add("crash");
    }
    crashes++;
    requests.take();
    restart(random);
  }

  private void restart(Random random) {
    returns.clear();
    restart.restart(random);
  }

  /** All addresses that there can be. */
  static Cidr all(IpFamily family) {
    return Cidr.parse(family == IpFamily.IPV4 ? "10.0.0.0/28" : "fd00::/124");
  }

  private Cidr block(Random random) {
    boolean ipv4 = family == IpFamily.IPV4;
    IpAddress ip = all(family).address(random.nextInt(12));
    return kind(ip) == CidrKind.PREFIX ? Cidr.containing(ip, ipv4 ? 30 : 126) : Cidr.single(ip);
  }

  /** One address is always a secondary one, whatever sandboxes get. */
  private CidrKind kind(IpAddress ip) {
    return ip.equals(IpAddress.parse("10.0.0.11")) ? CidrKind.SECONDARY : model.mode;
  }

  private void add(Random random) {
    String eni = anyEni(random);
    Cidr block = block(random);
    log.add(block + " to " + eni);
    if (!model.enis.containsKey(eni)) {
      addEni(eni);
    }
    boolean overlaps = model.blocks.keySet().stream().anyMatch(block::overlaps);
    CidrKind kind = kind(block.first());
    mayFail(random);
    assertThat(node.store.addCidr(eni, block, kind).isPresent()).isEqualTo(overlaps);
    if (!overlaps) {
      model.place(block, new Block(eni, kind));
    }
    settle();
  }

  private void remove(Random random) {
    Cidr block = block(random);
    Removal removal = removal(random);
    log.add(block + " " + removal);
    Block what = model.blocks.get(block);
    long inUse = model.inUse(block);
    boolean allowed = what != null && (removal == Removal.FORCED || inUse == 0);
    String eni = what == null ? "eni-0" : what.eni();
    mayFail(random);
    assertThat(node.store.removeCidr(eni, block, removal).isEmpty())
        .as("DI9 %s leaves", block)
        .isEqualTo(allowed);
    if (what != null && allowed) {
      model.unplace(block, requests.now());
      model.forceRemovedAddresses += inUse;
      if (random.nextInt(3) == 0) {
        log.add("and comes back");
        assertThat(node.store.addCidr(eni, block, what.kind())).isEmpty();
        model.place(block, what);
      }
    }
    settle();
    unsureUnlessWritten();
  }

  private static Removal removal(Random random) {
    return random.nextInt(3) == 0 ? Removal.FORCED : Removal.UNUSED_ONLY;
  }

  private void removeEni(Random random) {
    String eni = anyEni(random);
    Removal removal = removal(random);
    log.add(eni + " " + removal);
    int inUse = model.inUse(eni);
    boolean allowed = model.enis.containsKey(eni) && (removal == Removal.FORCED || inUse == 0);
    mayFail(random);
    assertThat(node.store.removeEni(eni, removal).isEmpty())
        .as("DI9 %s leaves", eni)
        .isEqualTo(allowed);
    if (allowed) {
      model.removeEni(eni, requests.now());
      model.forceRemovedEnis += inUse > 0 ? 1 : 0;
      model.forceRemovedAddresses += inUse;
    }
    settle();
    unsureUnlessWritten();
  }

  private void exclude(Random random) {
    String eni = anyEni(random);
    log.add(eni);
    if (!model.enis.containsKey(eni)) {
      assertThat(node.store.exclude(eni, true)).isPresent();
    } else if (model.excluded.contains(eni)) {
      include(eni);
    } else {
      model.excluded.add(eni);
      assertThat(node.store.exclude(eni, true)).isEmpty();
    }
  }

  // ---- the rest

  /** A request without a key is that of nobody. */
  private void emptyKey() {
    IpamKey nobody = new IpamKey("", "", "");
    assertThat(node.ended(node.store.assign(nobody, TestStore.POD, family)))
        .as("DI4 without a key")
        .isInstanceOf(AssignOutcome.Refused.class);
    assertThat(node.ended(node.store.release(nobody)))
        .as("DI4 without a key")
        .isInstanceOf(StoreReleaseOutcome.Unknown.class);
  }

  private void growth() {
    model.growable = !model.growable;
    log.add(model.growable ? "possible" : "impossible");
    node.store.growable(model.growable);
  }

  private void clock(Random random) {
    Duration by = Duration.ofSeconds(random.nextInt(121) - 60);
    log.add(by.toString());
    node.time.clock().step(by);
  }

  private void pass(Random random) {
    Duration duration = Duration.ofSeconds(random.nextInt(random.nextInt(4) == 0 ? 400 : 25));
    log.add(duration.toString());
    node.pass(duration);
  }

  /** The next write may fail; then the file has what changed with the one after it. */
  private void mayFail(Random random) {
    if (random.nextInt(6) == 0) {
      int change = random.nextInt(5);
      log.add("FAILS at change " + change);
      node.files.fault(node.files.changes().size() + change, Fault.FAILS, 0);
    }
  }

  /** After a crash the file may lack the releases that went with a removal. */
  private void unsureUnlessWritten() {
    if (node.store.unhealthy().isPresent()) {
      model.unsure.addAll(model.released.keySet());
    }
  }

  private void settle() {
    node.pass(Duration.ofMillis(100));
    node.files.restart();
  }
}

package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.RandomRestart.Twice;
import io.tidemark.datastore.StoreModel.Freed;
import io.tidemark.datastore.StoreModel.Held;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The content that a store must have taken up at its start: what was answered, and what was under
 * way or not. The model is then as the store.
 */
record RecoveredModel(TestStore node, StoreModel model, IpFamily family, RandomRequests requests) {
  /** Stamps of the file count from the wall clock; what ended once may be forgotten. */
  void noted(CooldownRule before) {
    Freed now = requests.now();
    Map<IpAddress, Freed> released = new HashMap<>(model.released);
    Map<IpAddress, Freed> undecided = undecided();
    released.putAll(undecided);
    for (Held orphan : model.orphans) {
      Freed freed = began().get(orphan.pod());
      if (freed != null && !model.assigned.containsKey(orphan.ip())) {
        released.put(orphan.ip(), freed);
        model.unsure.add(orphan.ip());
      }
    }
    released.forEach(
        (ip, freed) -> {
          long age = Math.max(0, now.notedEpochMillis() - freed.notedEpochMillis()) * 1_000_000;
          if (!StoreModel.isWithin(before, now.nanos() - freed.noted() + StoreModel.FUZZ)) {
            model.unsure.add(ip);
          }
          long nanos = now.nanos() - age;
          model.released.put(ip, new Freed(nanos, nanos, now.notedEpochMillis() - age / 1_000_000));
        });
    if (isPerhapsGiven()) {
      model.released.keySet().stream().filter(ip -> !model.isHere(ip)).forEach(model.unsure::add);
    }
  }

  /** Whether the file may have an assignment that was not answered. */
  private boolean isPerhapsGiven() {
    return !requests.perhapsAssigned.isEmpty()
        || requests.open.values().stream().anyMatch(RandomRequests.Request::assign);
  }

  /** Sandboxes of another boot have ended when the machine started: what they had cools since. */
  void ended(Duration bootAge, boolean late) {
    Freed boot = ago(bootAge);
    Set<String> undecided = began().keySet();
    model.assigned.forEach((ip, pod) -> later(ip, boot, !undecided.contains(pod)));
    model.orphans.forEach(each -> later(each.ip(), boot, !undecided.contains(each.pod())));
    if (late || isPerhapsGiven()) {
      StoreModel.addresses(RandomStoreOperations.all(family))
          .forEach(ip -> later(ip, late ? requests.now() : boot, false));
    }
  }

  private Freed ago(Duration age) {
    Freed now = requests.now();
    long nanos = now.nanos() - age.toNanos();
    return new Freed(nanos, nanos, now.notedEpochMillis() - age.toMillis());
  }

  /**
   * An address was released then, or later if that is known.
   *
   * @param sure whether it was released then for sure, if not later
   */
  private void later(IpAddress ip, Freed freed, boolean sure) {
    Freed known = model.released.get(ip);
    if (known == null || freed.nanos() - known.nanos() > 0) {
      model.released.put(ip, freed);
      if (sure) {
        model.unsure.remove(ip);
      } else {
        model.unsure.add(ip);
      }
    } else if (!sure) {
      model.unsure.add(ip);
    }
  }

  /** The file may have the release of an address whose sandbox has it back, but not that. */
  void unsure() {
    Freed now = requests.now();
    for (IpAddress ip : model.assigned.keySet()) {
      model.released.putIfAbsent(ip, now);
      model.unsure.add(ip);
    }
  }

  /** Addresses of which the file may have the release, or not. */
  private Map<IpAddress, Freed> undecided() {
    Map<String, Freed> began = began();
    Map<IpAddress, Freed> undecided = new HashMap<>();
    model.assigned.forEach(
        (ip, pod) -> {
          Freed freed = began.get(pod);
          if (freed != null) {
            undecided.put(ip, freed);
          }
        });
    return undecided;
  }

  /** When each release began of which it is not known whether it is in the file. */
  private Map<String, Freed> began() {
    Map<String, Freed> began = new HashMap<>(requests.perhapsReleased);
    requests.open.forEach((pod, request) -> began.put(pod, request.began()));
    return began;
  }

  void placed(Optional<Twice> twice, boolean rebooted) {
    Map<IpAddress, String> found = new HashMap<>();
    node.store
        .assigned()
        .forEach(it -> found.put(it.assignment().address(), RandomRestart.name(it.entry())));
    List<Held> orphans =
        node.store.orphans().stream()
            .map(each -> new Held(each.address().orElseThrow(), RandomRestart.name(each.entry())))
            .toList();
    Set<Held> known = new HashSet<>(orphans);
    found.forEach((ip, pod) -> known.add(new Held(ip, pod)));
    if (rebooted) {
      assertThat(known).as("of sandboxes of another boot").isEmpty();
    } else {
      twice.ifPresent(each -> twice(each, found, orphans));
      answered(known, twice);
    }
    for (IpAddress ip : found.keySet()) {
      assertThat(model.isHere(ip)).as("DI9 %s is here", ip).isTrue();
      model.released.remove(ip);
    }
    undecided().keySet().stream()
        .filter(ip -> known.contains(new Held(ip, model.assigned.getOrDefault(ip, ""))))
        .forEach(model.released::remove);
    model.unsure.retainAll(model.released.keySet());
    model.assigned.clear();
    model.assigned.putAll(found);
    model.orphans.clear();
    model.orphans.addAll(orphans);
  }

  private void twice(Twice both, Map<IpAddress, String> found, List<Held> orphans) {
    Held first = held(both.later());
    boolean ofOthers = model.orphans.stream().anyMatch(each -> each.ip().equals(first.ip()));
    if (model.isHere(first.ip()) && !ofOthers) {
      Held second = held(first.equals(held(both.one())) ? both.other() : both.one());
      assertThat(found).as("DI1 the later one has it").containsEntry(first.ip(), first.pod());
      assertThat(orphans).as("DI9 the earlier one is kept in mind").contains(second);
    }
  }

  private Held held(CheckpointEntry entry) {
    return new Held(entry.address(family).orElseThrow(), RandomRestart.name(entry));
  }

  private void answered(Set<Held> known, Optional<Twice> twice) {
    Set<Held> possible = new HashSet<>(model.orphans);
    model.assigned.forEach((ip, pod) -> possible.add(new Held(ip, pod)));
    Set<Held> certain = new HashSet<>(possible);
    Set<String> undecided = new HashSet<>(requests.open.keySet());
    undecided.addAll(requests.perhapsReleased.keySet());
    undecided.addAll(requests.perhapsAssigned);
    certain.removeIf(each -> undecided.contains(each.pod()));
    assertThat(known).as("DI6 what was answered").containsAll(certain);
    Set<Held> others = new HashSet<>(known);
    others.removeAll(possible);
    twice.ifPresent(each -> others.remove(held(each.other())));
    assertThat(others).as("DI4 assigned unasked").allMatch(each -> asked(each.pod()));
    assertThat(model.assigned.entrySet())
        .as("DI5 those that are here keep their addresses")
        .allSatisfy(
            each -> {
              boolean replaced =
                  twice.filter(it -> held(it.one()).ip().equals(each.getKey())).isPresent();
              if (!replaced && !undecided.contains(each.getValue())) {
                assertThat(model.isHere(each.getKey())).isEqualTo(isAssigned(each.getKey()));
              }
            });
  }

  private boolean isAssigned(IpAddress ip) {
    return node.store.assigned().stream().anyMatch(it -> it.assignment().address().equals(ip));
  }

  private boolean asked(String pod) {
    RandomRequests.Request request = requests.open.get(pod);
    return (request != null && request.assign()) || requests.perhapsAssigned.contains(pod);
  }

  /** All that is not assigned was released so long ago, if not later. */
  void coolAll(Duration age) {
    Freed freed = ago(age);
    model.blocks.keySet().stream()
        .flatMap(block -> StoreModel.addresses(block).stream())
        .filter(ip -> !model.assigned.containsKey(ip))
        .forEach(ip -> later(ip, freed, true));
  }
}

package io.tidemark.nodeid.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodeid.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Ids that are given out, claimed and released at random, over changes of the leader")
class RandomIdPoolTest {
  private static final int SEEDS = 300;
  private static final int STEPS = 150;

  private final Set<NodeId> claims = new HashSet<>();
  private final Set<NodeId> reserved = new HashSet<>();

  /** From when each may be given out; what was never claimed is not here. */
  private final Map<NodeId, Long> ready = new HashMap<>();

  private long capacity;
  private long now;
  private IdPool pool = new IdPool(0, claims::contains);
  private String where = "";

  @Test
  @DisplayName("none twice, none before its cooldown is over, and none is kept back that is free")
  void random() {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed);
    }
  }

  private void run(long seed) {
    Random random = new Random(seed);
    capacity = 1L + random.nextInt(8);
    long cooldown = random.nextInt(20);
    now = random.nextInt(1_000) - 500L;
    claims.clear();
    reserved.clear();
    ready.clear();
    pool = new IdPool(capacity, claims::contains);
    pool.begin(IdNotes.NONE, now);
    for (int step = 0; step < STEPS; step++) {
      where = "seed " + seed + ", step " + step;
      now += random.nextInt(4);
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> reserve();
        case 3 -> oneOf(reserved, random).ifPresent(this::claim);
        case 4 -> oneOf(claims, random).ifPresent(id -> release(id, now + cooldown));
        case 5 -> oneOf(reserved, random).ifPresent(this::giveBack);
        default -> {
          if (random.nextInt(10) == 0) {
            takeOver(cooldown);
          }
        }
      }
      assertThat(pool.reserved()).as(where).isEqualTo(reserved.size());
    }
    now += cooldown;
    where = "seed " + seed + ", at the end";
    while (reserve()) {
      assertThat(reserved.size()).as(where).isLessThanOrEqualTo((int) capacity);
    }
    Set<NodeId> given = new HashSet<>(claims);
    given.addAll(reserved);
    assertThat(given).as(where).hasSize((int) capacity);
  }

  private static Optional<NodeId> oneOf(Set<NodeId> ids, Random random) {
    List<NodeId> all = List.copyOf(new TreeSet<>(ids));
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }

  private boolean reserve() {
    Optional<NodeId> id = pool.reserve(now);
    if (id.isPresent()) {
      assertThat(id.get().number()).as(where).isBetween(1L, capacity);
      assertThat(isFree(id.get())).as("%s: %s is free", where, id.get()).isTrue();
      reserved.add(id.get());
    } else {
      assertThat(LongStream.rangeClosed(1, capacity).mapToObj(NodeId::of).filter(this::isFree))
          .as("%s: what is free, and is not given out", where)
          .isEmpty();
    }
    return id.isPresent();
  }

  private boolean isFree(NodeId id) {
    return !claims.contains(id)
        && !reserved.contains(id)
        && now >= ready.getOrDefault(id, Long.MIN_VALUE);
  }

  private void claim(NodeId id) {
    reserved.remove(id);
    claims.add(id);
    pool.claimed(id);
  }

  private void release(NodeId id, long from) {
    claims.remove(id);
    ready.put(id, from);
    pool.released(id, from);
  }

  private void giveBack(NodeId id) {
    reserved.remove(id);
    pool.giveBack(id);
  }

  /** The next leader sees claims and notes; of all that may have been claimed it waits anew. */
  private void takeOver(long cooldown) {
    IdNotes notes = pool.notes();
    reserved.clear();
    pool = new IdPool(capacity, claims::contains);
    claims.forEach(pool::claimed);
    pool.begin(notes, now + cooldown);
    for (long number = 1; number <= capacity; number++) {
      NodeId id = NodeId.of(number);
      if (number < notes.frontier() || notes.released().contains(id)) {
        ready.put(id, now + cooldown);
      }
    }
  }
}

package io.tidemark.nodeid.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Random operations against a naive pool")
class RandomPoolTest {
  private static final int STEPS = 4_000;

  /** The addresses of a small subnet one by one, as the specification says it. */
  private static final class Model {
    private final Cidr subnet;
    private final long cooldown;
    private final long size;
    private final Set<Long> used = new TreeSet<>();
    private final Map<Long, Long> cooling = new LinkedHashMap<>();
    private long last = 1;

    Model(Cidr subnet, long cooldown) {
      this.subnet = subnet;
      this.cooldown = cooldown;
      this.size = subnet.sizeSaturated();
    }

    Optional<IpAddress> allocate(long now) {
      cooling.values().removeIf(since -> now - since >= cooldown);
      for (long step = 1; step <= size; step++) {
        long candidate = (last + step) % size;
        if (mayHand(candidate) && !used.contains(candidate) && !cooling.containsKey(candidate)) {
          used.add(candidate);
          last = candidate;
          return Optional.of(subnet.address(candidate));
        }
      }
      return Optional.empty();
    }

    boolean take(long sequence) {
      if (!mayHand(sequence) || used.contains(sequence)) {
        return false;
      }
      if (cooling.remove(sequence) == null) {
        last = Math.max(last, sequence);
      }
      return used.add(sequence);
    }

    boolean release(long sequence, long now) {
      if (!used.remove(sequence)) {
        return false;
      }
      if (cooldown > 0) {
        cooling.put(sequence, now);
      }
      return true;
    }

    boolean mayHand(long sequence) {
      return sequence >= 2 && sequence <= size - 3;
    }
  }

  private static final String SUBNETS =
      """
      1.2.128.8/29, 0
      10.1.5.0/26, 0
      10.1.5.0/26, 7
      10.1.5.0/24, 300
      fe10:f00d::500/121, 0
      fe10:f00d::500/121, 20
      """;

  @DisplayName(
      "NI-8 NI-D14 NI-J2/NI-J4/NI-J6 The pool answers as the model, in both"
          + " families: what is released comes last, cools, and what is taken stays taken")
  @ParameterizedTest(name = "{0}, cooldown {1}")
  @CsvSource(textBlock = SUBNETS)
  void random(String text, long cooldown) {
    run(text, cooldown, 2);
  }

  @Tag("long")
  @DisplayName("NI-J2/NI-J4/NI-J6 The pool answers as the model, for 20 seeds")
  @ParameterizedTest(name = "{0}, cooldown {1}")
  @CsvSource(textBlock = SUBNETS)
  void manySeeds(String text, long cooldown) {
    run(text, cooldown, 20);
  }

  private static void run(String text, long cooldown, int seeds) {
    for (long seed = 0; seed < seeds; seed++) {
      run(Cidr.parse(text), cooldown, seed);
    }
  }

  @DisplayName("NI-J6 What was released last is not handed out next while another is free")
  @ParameterizedTest
  @CsvSource({"1.2.128.8/29", "10.1.5.0/26", "fe10:f00d::500/121"})
  void notAtOnce(String text) {
    Random random = new Random(4);
    PodAddressPool pool = new PodAddressPool(Cidr.parse(text), Duration.ZERO);
    for (int step = 0; step < 2_000; step++) {
      boolean others = pool.stats().free() > 1;
      Optional<IpAddress> first = pool.allocate(0);
      first.ifPresent(address -> assertThat(pool.release(address, 0)).isTrue());
      Optional<IpAddress> second = pool.allocate(0);
      assertThat(second.isPresent()).isEqualTo(first.isPresent());
      if (others) {
        assertThat(second).isNotEqualTo(first);
      }
      pool.release(Cidr.parse(text).address(random.nextInt(60) & 7), 0);
    }
  }

  private static void run(Cidr subnet, long cooldown, long seed) {
    PodAddressPool pool = new PodAddressPool(subnet, Duration.ofNanos(cooldown));
    Model model = new Model(subnet, cooldown);
    Random random = new Random(seed);
    int size = (int) subnet.sizeSaturated();
    int release = 1 + random.nextInt(9);
    long now = -3;
    for (int step = 0; step < STEPS; step++) {
      String where = subnet + ", seed " + seed + ", step " + step;
      now += random.nextInt(2);
      long sequence = random.nextInt(size);
      IpAddress address = subnet.address(sequence);
      switch (random.nextInt(20) < release ? 0 : random.nextInt(10) == 0 ? 1 : 2) {
        case 0 ->
            assertThat(pool.release(address, now))
                .as(where)
                .isEqualTo(model.release(sequence, now));
        case 1 -> assertThat(pool.take(address)).as(where).isEqualTo(model.take(sequence));
        default -> assertThat(pool.allocate(now)).as(where).isEqualTo(model.allocate(now));
      }
      assertThat(pool.stats())
          .as(where)
          .extracting(PodAddressPool.Stats::used)
          .isEqualTo((long) model.used.size());
      assertThat(model.last == 1 || model.mayHand(model.last)).as(where).isTrue();
    }
  }
}

package io.tidemark.emulator.arm.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("13.8 (f) Addresses of a subnet under random requests")
class SubnetAddressesTest {
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"10.0.0.0/24", "10.0.0.0/26", "10.0.0.0/28", "10.0.0.0/29"})
  @DisplayName("What is given, free and resting is what a list of all addresses says")
  void likeAList(String subnet) {
    for (long seed = 0; seed < 20; seed++) {
      Model model = new Model(Cidr.parse(subnet), seed);
      for (int step = 0; step < 300; step++) {
        model.step();
        assertThat(model.real.used()).as("seed %d, step %d", seed, step).isEqualTo(model.used());
        assertThat(model.real.free(model.now))
            .as("seed %d, step %d", seed, step)
            .isEqualTo(model.free().size());
      }
    }
  }

  /** The same, every address looked at each time. */
  private static final class Model {
    private static final Duration REUSE = Duration.ofSeconds(60);

    private final Cidr subnet;
    private final Random random;
    private final SubnetAddresses real;
    private final Set<IpAddress> reserved = new HashSet<>();
    private final Set<IpAddress> taken = new HashSet<>();
    private final Map<IpAddress, Instant> resting = new HashMap<>();
    private final List<Cidr> held = new ArrayList<>();
    private Instant now = Instant.EPOCH;

    Model(Cidr subnet, long seed) {
      this.subnet = subnet;
      random = new Random(seed);
      real = new SubnetAddresses(List.of(subnet), REUSE, new SplittableRandom(seed));
      for (int i = 0; i < 4; i++) {
        reserved.add(subnet.address(i));
      }
      reserved.add(subnet.last());
    }

    void step() {
      now = now.plusSeconds(random.nextInt(10));
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          Optional<IpAddress> given = real.take(now);
          assertThat(given.isPresent()).isEqualTo(!free().isEmpty());
          given.ifPresent(
              ip -> {
                assertThat(free()).contains(ip);
                take(Cidr.single(ip));
              });
        }
        case 2, 3 -> {
          Optional<Cidr> given = real.takeBlock(now);
          List<Cidr> whole = wholeBlocks();
          assertThat(given.isPresent()).isEqualTo(!whole.isEmpty());
          given.ifPresent(
              block -> {
                assertThat(whole).contains(block);
                take(block);
              });
        }
        case 4 -> {
          IpAddress ip = subnet.address(random.nextInt((int) subnet.sizeSaturated()));
          boolean nobodys = !taken.contains(ip) && !reserved.contains(ip);
          assertThat(real.take(ip)).isEqualTo(nobodys);
          if (nobodys) {
            take(Cidr.single(ip));
          }
        }
        case 5 -> drop(real::putBack);
        default ->
            drop(
                range -> {
                  real.release(range, now);
                  AddressSet.ofRange(range).forEach(ip -> resting.put(ip, now.plus(REUSE)));
                });
      }
    }

    private void take(Cidr range) {
      held.add(range);
      AddressSet.ofRange(range).forEach(taken::add);
    }

    private void drop(Consumer<Cidr> how) {
      if (!held.isEmpty()) {
        Cidr range = held.remove(random.nextInt(held.size()));
        how.accept(range);
        AddressSet.ofRange(range).forEach(taken::remove);
      }
    }

    int used() {
      return taken.size();
    }

    Set<IpAddress> free() {
      Set<IpAddress> free = new HashSet<>();
      for (IpAddress ip : AddressSet.ofRange(subnet)) {
        Instant until = resting.getOrDefault(ip, Instant.MIN);
        if (!taken.contains(ip) && !reserved.contains(ip) && !until.isAfter(now)) {
          free.add(ip);
        }
      }
      return free;
    }

    private List<Cidr> wholeBlocks() {
      List<Cidr> whole = new ArrayList<>();
      Set<IpAddress> free = free();
      for (int at = 0; at + 16 <= subnet.sizeSaturated(); at += 16) {
        Cidr block = Cidr.of(subnet.address(at), 28);
        boolean all = true;
        for (IpAddress ip : AddressSet.ofRange(block)) {
          all &= free.contains(ip);
        }
        if (all) {
          whole.add(block);
        }
      }
      return whole;
    }
  }
}

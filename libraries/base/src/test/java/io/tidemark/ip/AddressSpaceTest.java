package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressSpaceTest {
  private static final Cidr SUBNET = Cidr.parse("10.0.4.0/24");

  private final AddressSpace space = AddressSpace.of(SUBNET, 4, 1);

  @Test
  @DisplayName("Reserved addresses are never given out")
  void reserved() {
    assertThat(space.allocate(1)).containsExactly(IpAddress.parse("10.0.4.4"));
    assertThat(space.allocate(SUBNET.first())).isFalse();
    assertThat(space.free(SUBNET.last())).isFalse();
    assertThat(space.freeBlock(Cidr.parse("10.0.4.0/30"))).isFalse();
    assertThat(space.allocate(1000)).hasSize(250).doesNotContain(SUBNET.first(), SUBNET.last());
    assertThat(space.allocate(5)).isEmpty();
    assertThat(space.allocateBlock(32)).isEmpty();
    assertThat(space).hasToString("10.0.4.0/24, 0 of 251 free");
    assertThat(AddressSpace.of(Cidr.parse("10.0.0.0/30"), 3, 2).allocate(1)).isEmpty();
  }

  @Test
  @DisplayName("Counts, prefix lengths, reservations and subnets that make no sense are refused")
  void nonsense() {
    assertThatThrownBy(() -> space.allocate(-1)).hasMessageContaining("count is -1");
    assertThatThrownBy(() -> space.allocateBlock(23))
        .hasMessage("prefix length is 23; expected 24 to 32 in 10.0.4.0/24");
    assertThatThrownBy(() -> space.allocateBlock(33)).hasMessageContaining("is 33");
    assertThatThrownBy(() -> space.freeBlocks(129)).hasMessageContaining("is 129");
    assertThatThrownBy(() -> AddressSpace.of(SUBNET, 257, 0))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> AddressSpace.of(SUBNET, 0, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> AddressSpace.of(Cidr.parse("2001:db8::/64"), 0, 0))
        .hasMessageContaining("2001:db8::/64 is too big");
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/25", "255.255.255.0/24", "2001:db8::ff00/120", "::/121"})
  @DisplayName("A space answers as plain sets of addresses do, whatever is done to it")
  void likeSets(String subnet) {
    Seeds.forEach(
        subnet.hashCode(),
        150,
        random -> {
          Cidr block = Cidr.parse(subnet);
          int lowest = random.nextInt(40);
          int highest = random.nextInt(3);
          AddressSpace space = AddressSpace.of(block, lowest, highest);
          Model model = new Model(block, lowest, highest, random);
          for (int step = 0; step < 200; step++) {
            model.step(space);
            assertThat(space.freeCount()).isEqualTo(model.free.size());
          }
        });
  }

  /** The same as sets of addresses, and every block tried in turn. */
  private static final class Model {
    final Cidr subnet;
    final Random random;
    final TreeSet<IpAddress> free = new TreeSet<>();
    final Set<IpAddress> allocated = new HashSet<>();

    Model(Cidr subnet, int lowest, int highest, Random random) {
      this.subnet = subnet;
      this.random = random;
      List<IpAddress> all = AddressSet.ofRange(subnet).toList();
      free.addAll(all.subList(lowest, all.size() - highest));
    }

    void step(AddressSpace space) {
      IpAddress address = Seeds.near(subnet.address(random.nextInt(128)), random);
      int length = subnet.family().bits() - random.nextInt(6);
      Cidr block = Cidr.containing(address, length);
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          boolean expected = free.contains(address);
          assertThat(space.allocate(address)).isEqualTo(expected);
          if (expected) {
            take(address);
          }
        }
        case 2 -> {
          List<IpAddress> lowest = free.stream().limit(random.nextInt(12)).toList();
          assertThat(space.allocate(lowest.size()).toList()).isEqualTo(lowest);
          lowest.forEach(this::take);
        }
        case 3 -> {
          List<Cidr> whole = freeBlocks(length);
          assertThat(space.freeBlocks(length)).isEqualTo(whole.size());
          assertThat(space.allocateBlock(length)).isEqualTo(whole.stream().findFirst());
          whole.stream().limit(1).map(AddressSet::ofRange).forEach(set -> set.forEach(this::take));
        }
        case 4 -> {
          boolean expected = allocated.contains(address);
          assertThat(space.free(address)).isEqualTo(expected);
          if (expected) {
            giveBack(address);
          }
        }
        case 5, 6 -> {
          boolean expected = allocated.containsAll(AddressSet.ofRange(block).toList());
          assertThat(space.freeBlock(block)).isEqualTo(expected);
          if (expected) {
            AddressSet.ofRange(block).forEach(this::giveBack);
          }
        }
        default -> assertThat(space.isAllocated(address)).isEqualTo(allocated.contains(address));
      }
    }

    private List<Cidr> freeBlocks(int length) {
      return StreamSupport.stream(subnet.subnets(length).spliterator(), false)
          .filter(block -> free.containsAll(AddressSet.ofRange(block).toList()))
          .toList();
    }

    private void take(IpAddress address) {
      free.remove(address);
      allocated.add(address);
    }

    private void giveBack(IpAddress address) {
      allocated.remove(address);
      free.add(address);
    }
  }
}

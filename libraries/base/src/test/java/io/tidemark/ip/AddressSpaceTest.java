package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.AddressSpace.State;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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

  private final AddressSpace space =
      AddressSpace.builder(SUBNET).reserveFirst(4).reserveLast(1).build();

  @Test
  @DisplayName("Reserved addresses are never given out")
  void reserved() {
    assertThat(space.capacity()).isEqualTo(251);
    assertThat(space.reserved())
        .extracting(Cidr::toString)
        .containsExactly("10.0.4.0/30", "10.0.4.255/32");
    assertThat(space.allocate()).hasValue(IpAddress.parse("10.0.4.4"));
    assertThat(space.allocate(SUBNET.first())).isFalse();
    assertThat(space.free(SUBNET.last())).isFalse();
    assertThat(space.freeBlock(Cidr.parse("10.0.4.0/30"))).isFalse();
    assertThat(space.allocate(1000)).hasSize(250).doesNotContain(SUBNET.first(), SUBNET.last());
    assertThat(space.allocate()).isEmpty();
    assertThat(space.allocate(5)).isEmpty();
    assertThat(space.allocateBlock(32)).isEmpty();
    assertThat(space.widestFreeBlock()).isEmpty();
    assertThat(space).hasToString("10.0.4.0/24, 0 of 251 free");
  }

  @Test
  @DisplayName("Without reservations the first address is given out, and several from there on")
  void unreserved() {
    AddressSpace whole = AddressSpace.of(SUBNET, CidrSet.of());
    assertThat(whole.subnet()).isEqualTo(SUBNET);
    assertThat(whole.allocate(3))
        .extracting(IpAddress::toString)
        .containsExactly("10.0.4.0", "10.0.4.1", "10.0.4.2");
    assertThat(whole.allocate()).hasValue(IpAddress.parse("10.0.4.3"));
  }

  @Test
  @DisplayName("The state of an address says why it cannot be taken")
  void states() {
    IpAddress taken = space.allocate().orElseThrow();
    assertThat(space.state(taken)).isEqualTo(State.ALLOCATED);
    assertThat(space.state(taken.plus(1))).isEqualTo(State.FREE);
    assertThat(space.state(SUBNET.first())).isEqualTo(State.RESERVED);
    assertThat(space.state(IpAddress.parse("10.0.5.0"))).isEqualTo(State.OUTSIDE);
    assertThat(space.state(IpAddress.parse("::10.0.4.9"))).isEqualTo(State.OUTSIDE);
    assertThat(space.allocate(IpAddress.parse("10.0.5.0"))).isFalse();
    assertThat(space.allocate(IpAddress.parse("::10.0.4.9"))).isFalse();
    assertThat(space.allocateBlock(Cidr.parse("10.0.4.0/23"))).isFalse();
    assertThat(space.free(IpAddress.parse("10.0.5.0"))).isFalse();
    assertThat(space.freeBlock(Cidr.parse("10.0.0.0/8"))).isFalse();
  }

  @Test
  @DisplayName("Taking twice and giving back twice change nothing")
  void twice() {
    IpAddress address = IpAddress.parse("10.0.4.77");
    assertThat(space.allocate(address)).isTrue();
    assertThat(space.allocate(address)).isFalse();
    assertThat(space.allocateBlock(Cidr.parse("10.0.4.64/28"))).isFalse();
    assertThat(space.freeBlock(Cidr.parse("10.0.4.76/31"))).isFalse();
    assertThat(space.allocatedCount()).isEqualTo(1);
    assertThat(space.free(address)).isTrue();
    assertThat(space.free(address)).isFalse();
    assertThat(space.freeCount()).isEqualTo(251);
  }

  @Test
  @DisplayName("Blocks are aligned, avoid reserved addresses, and run out by fragmentation")
  void blocks() {
    assertThat(space.freeBlocks(28)).isEqualTo(14);
    assertThat(space.widestFreeBlock()).hasValue(26);
    assertThat(space.allocateBlock(28)).hasValue(Cidr.parse("10.0.4.16/28"));
    assertThat(space.allocateBlock(Cidr.parse("10.0.4.32/28"))).isTrue();
    assertThat(space.allocateBlock(28)).hasValue(Cidr.parse("10.0.4.48/28"));
    for (int start = 64; start < 256; start += 16) {
      assertThat(space.allocate(SUBNET.address(start + 3))).isTrue();
    }
    assertThat(space.freeCount()).isEqualTo(12 + 12 * 15 - 1);
    assertThat(space.allocateBlock(28)).isEmpty();
    assertThat(space.freeBlocks(28)).isZero();
    assertThat(space.widestFreeBlock()).hasValue(29);
    assertThat(space.freeBlock(Cidr.parse("10.0.4.32/28"))).isTrue();
    assertThat(space.freeBlocks(28)).isEqualTo(1);
  }

  @Test
  @DisplayName("A block can be taken as a whole and given back address by address")
  void singlesOfBlock() {
    Cidr block = space.allocateBlock(30).orElseThrow();
    AddressSet.ofRange(block).forEach(address -> assertThat(space.free(address)).isTrue());
    assertThat(space.freeBlock(block)).isFalse();
    assertThat(space.allocatedCount()).isZero();
  }

  @Test
  @DisplayName("Reservations may overlap, must lie in the subnet, and cannot exceed it")
  void reservations() {
    AddressSpace.Builder builder = AddressSpace.builder(Cidr.parse("10.0.0.0/30"));
    AddressSpace full =
        builder.reserveFirst(4).reserveLast(2).reserve(IpAddress.parse("10.0.0.1")).build();
    assertThat(full.capacity()).isZero();
    assertThat(full.allocate()).isEmpty();
    assertThat(AddressSpace.builder(SUBNET).reserveFirst(0).reserveLast(0).build().capacity())
        .isEqualTo(256);
    assertThatThrownBy(() -> builder.reserveFirst(5)).hasMessageContaining("5 addresses of 10.0");
    assertThatThrownBy(() -> builder.reserveLast(-1)).hasMessageContaining("-1 addresses");
    assertThatThrownBy(() -> builder.reserve(SUBNET).build())
        .hasMessage("reserved 10.0.4.0/24 is not in 10.0.0.0/30");
    assertThatThrownBy(() -> AddressSpace.of(Cidr.parse("2001:db8::/64"), CidrSet.of()))
        .hasMessageContaining("2001:db8::/64 is too big");
  }

  @Test
  @DisplayName("Counts and prefix lengths that make no sense are refused")
  void nonsense() {
    assertThatThrownBy(() -> space.allocate(-1)).hasMessageContaining("count is -1");
    assertThatThrownBy(() -> space.allocateBlock(23))
        .hasMessage("prefix length is 23; expected 24 to 32 in 10.0.4.0/24");
    assertThatThrownBy(() -> space.allocateBlock(33)).hasMessageContaining("is 33");
    assertThatThrownBy(() -> space.freeBlocks(129)).hasMessageContaining("is 129");
  }

  @Test
  @DisplayName("A copy and its origin do not see each other's changes")
  void copies() {
    AddressSpace copy = space.copy();
    IpAddress first = copy.allocate().orElseThrow();
    assertThat(space.state(first)).isEqualTo(State.FREE);
    assertThat(copy.allocatedCount()).isEqualTo(1);
    assertThat(copy.subnet()).isEqualTo(SUBNET);
    assertThat(copy.reserved()).isEqualTo(space.reserved());
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
          Cidr extra = Cidr.containing(block.address(random.nextInt(128)), bits(block) - 3);
          AddressSpace space =
              AddressSpace.builder(block).reserveFirst(2).reserveLast(1).reserve(extra).build();
          Model model = new Model(block, random);
          model.reserve(block.address(0));
          model.reserve(block.address(1));
          model.reserve(block.last());
          AddressSet.ofRange(extra).forEach(model::reserve);
          assertThat(space.capacity()).isEqualTo(model.free.size());
          for (int step = 0; step < 200; step++) {
            model.step(space);
            assertThat(space.freeCount()).isEqualTo(model.free.size());
            assertThat(space.allocatedCount()).isEqualTo(model.allocated.size());
          }
        });
  }

  private static int bits(Cidr block) {
    return block.family().bits();
  }

  /** The same as sets of addresses, and every block tried in turn. */
  private static final class Model {
    final Cidr subnet;
    final Random random;
    final TreeSet<IpAddress> free = new TreeSet<>();
    final Set<IpAddress> allocated = new HashSet<>();
    final Set<IpAddress> reserved = new HashSet<>();

    Model(Cidr subnet, Random random) {
      this.subnet = subnet;
      this.random = random;
      AddressSet.ofRange(subnet).forEach(free::add);
    }

    void reserve(IpAddress address) {
      free.remove(address);
      reserved.add(address);
    }

    void step(AddressSpace space) {
      IpAddress address = Seeds.near(subnet.address(random.nextInt(128)), random);
      int length = bits(subnet) - random.nextInt(6);
      Cidr block = Cidr.containing(address, length);
      switch (random.nextInt(10)) {
        case 0 -> {
          Optional<IpAddress> lowest = free.stream().findFirst();
          assertThat(space.allocate()).isEqualTo(lowest);
          lowest.ifPresent(this::take);
        }
        case 1 -> {
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
          boolean expected = free.containsAll(AddressSet.ofRange(block).toList());
          assertThat(space.allocateBlock(block)).isEqualTo(expected);
          if (expected) {
            AddressSet.ofRange(block).forEach(this::take);
          }
        }
        case 5, 6 -> {
          boolean expected = allocated.contains(address);
          assertThat(space.free(address)).isEqualTo(expected);
          if (expected) {
            giveBack(address);
          }
        }
        case 7, 8 -> {
          boolean expected = allocated.containsAll(AddressSet.ofRange(block).toList());
          assertThat(space.freeBlock(block)).isEqualTo(expected);
          if (expected) {
            AddressSet.ofRange(block).forEach(this::giveBack);
          }
        }
        default -> {
          assertThat(space.state(address)).isEqualTo(state(address));
          int widest = subnet.prefixLength();
          while (widest <= bits(subnet) && freeBlocks(widest).isEmpty()) {
            widest++;
          }
          assertThat(space.widestFreeBlock().orElse(bits(subnet) + 1)).isEqualTo(widest);
        }
      }
    }

    private List<Cidr> freeBlocks(int length) {
      return StreamSupport.stream(subnet.subnets(length).spliterator(), false)
          .filter(block -> free.containsAll(AddressSet.ofRange(block).toList()))
          .toList();
    }

    private State state(IpAddress address) {
      if (!subnet.contains(address)) {
        return State.OUTSIDE;
      }
      return free.contains(address)
          ? State.FREE
          : reserved.contains(address) ? State.RESERVED : State.ALLOCATED;
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

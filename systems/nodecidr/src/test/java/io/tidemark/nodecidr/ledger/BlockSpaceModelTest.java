package io.tidemark.nodecidr.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Random steps on the blocks of a range, against a set of indices")
class BlockSpaceModelTest {
  private static final int SEEDS = 200;
  private static final int STEPS = 100;

  private final BitSet taken = new BitSet();
  private int cursor;

  @ParameterizedTest
  @ValueSource(strings = {"10.42.0.0", "2001:db8:85a3:1200::"})
  @DisplayName(
      "NC-I1 NC-I2 NC-I3 NC-I4 NC-I5 NC-I6 NC-I7 Dense and sparse spaces with random lengths do the"
          + " same as the set")
  void likeSet(String base) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        sequence(IpAddress.parse(base), new Random(seed * 0x9E3779B97F4A7C15L));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }

  private void sequence(IpAddress base, Random random) {
    int bits = base.family().bits();
    int length = bits / 4 + random.nextInt(bits / 2);
    int blockLength = Math.min(bits, length + random.nextInt(9));
    Cidr range = Cidr.containing(base, length);
    List<BlockSpace> spaces =
        List.of(BlockSpace.of(range, blockLength), BlockSpace.sparse(range, blockLength));
    int blocks = 1 << (blockLength - length);
    taken.clear();
    cursor = 0;
    for (int step = 0; step < STEPS; step++) {
      Cidr cidr = near(range, blockLength, blocks, random);
      int operation = random.nextInt(4);
      int before = taken.cardinality();
      int expected = expected(operation, range, blockLength, blocks, cidr);
      for (BlockSpace space : spaces) {
        operate(space, operation, cidr, expected, before);
        assertThat(space.freeCount()).isEqualTo(blocks - taken.cardinality());
        assertThat(space.cursor()).isEqualTo(cursor);
        assertThat(space.capacity()).isEqualTo(blocks);
      }
    }
    spaces.forEach(space -> allComeOut(space, blocks));
  }

  /** Once all are given back, each block comes out once, from the cursor on. */
  private void allComeOut(BlockSpace space, int blocks) {
    assertThat(space.release(space.range())).isEqualTo(taken.cardinality());
    List<Long> indices = new ArrayList<>();
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      Cidr block = space.allocateNext().orElseThrow();
      indices.add(space.range().subnetIndex(block, space.blockLength()));
      expected.add((long) (cursor + i) % blocks);
    }
    assertThat(indices).isEqualTo(expected);
    assertThat(space.allocateNext()).isEmpty();
  }

  /** A block, a part of one, several, the range or more; now and then one beside the range. */
  private static Cidr near(Cidr range, int blockLength, int blocks, Random random) {
    Cidr block = range.subnet(blockLength, random.nextInt(blocks));
    int bits = range.family().bits();
    return switch (random.nextInt(6)) {
      case 0 -> Cidr.containing(block.last(), Math.min(bits, blockLength + 1 + random.nextInt(3)));
      case 1 -> Cidr.containing(block.first(), Math.max(1, blockLength - random.nextInt(5)));
      case 2 -> Cidr.containing(range.first(), range.prefixLength() - random.nextInt(3));
      case 3 -> Cidr.containing(range.last().plus(1), blockLength);
      default -> block;
    };
  }

  /** The answer of the operation, -1 for a refusal; changes the set. */
  private int expected(int operation, Cidr range, int blockLength, int blocks, Cidr cidr) {
    if (operation == 0) {
      int ahead = taken.nextClearBit(cursor);
      int index = ahead < blocks ? ahead : taken.nextClearBit(0);
      if (index >= blocks) {
        return -1;
      }
      taken.set(index);
      cursor = (index + 1) % blocks;
      return index;
    }
    int changed = 0;
    boolean touches = false;
    for (int index = 0; index < blocks; index++) {
      if (range.subnet(blockLength, index).overlaps(cidr)) {
        touches = true;
        boolean wanted = operation == 1;
        if (operation == 3) {
          changed += taken.get(index) ? 0 : 1;
        } else if (taken.get(index) != wanted) {
          taken.set(index, wanted);
          changed++;
        }
      }
    }
    return touches ? changed : -1;
  }

  private static void operate(
      BlockSpace space, int operation, Cidr cidr, int expected, int before) {
    if (operation == 0) {
      assertThat(space.allocateNext().map(it -> space.range().subnetIndex(it, space.blockLength())))
          .isEqualTo(expected < 0 ? Optional.empty() : Optional.of((long) expected));
    } else if (expected < 0) {
      assertThatThrownBy(() -> change(space, operation, cidr))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is out the range of cluster cidr");
      assertThat(space.freeCount()).isEqualTo(space.capacity() - before);
    } else {
      assertThat(change(space, operation, cidr)).isEqualTo(expected);
    }
  }

  private static long change(BlockSpace space, int operation, Cidr cidr) {
    return switch (operation) {
      case 1 -> space.occupy(cidr);
      case 2 -> space.release(cidr);
      default -> space.countFree(cidr);
    };
  }
}

package io.tidemark.agent.hostscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Denial;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The addresses of a block")
class HostRangeTest {
  @ParameterizedTest(name = "A26 {0} has {1} addresses from {2}")
  @CsvSource({
    "192.168.0.0/27, 30, 192.168.0.1",
    "192.168.0.0/31, 2, 192.168.0.0",
    "192.168.0.1/32, 1, 192.168.0.1",
    "2001:db8::/64, 65534, 2001:db8::1",
    "2001:db8::/120, 254, 2001:db8::1",
    "2001:db8::/127, 2, 2001:db8::",
    "2001:db8::1/128, 1, 2001:db8::1",
    "10.0.0.0/8, 16777214, 10.0.0.1",
    "0.0.0.0/0, 16777214, 0.0.0.1",
  })
  @DisplayName("A26 Network and broadcast are left out, unless the block has two addresses or one")
  void sizes(String cidr, int capacity, String first) {
    HostRange range = HostRange.of(Cidr.parse(cidr), 0);
    assertThat(range.capacity()).isEqualTo(capacity);
    assertThat(range.address(0)).hasToString(first);
    assertThat(range.freeCount()).isEqualTo(capacity);
  }

  @ParameterizedTest(name = "A27 {0} has {1}")
  @CsvSource({
    "192.168.0.0/27, 32",
    "192.168.0.0/32, 1",
    "2001:db8::/64, 65536",
    "2001:db8::/120, 256",
    "2001:db8::/128, 1",
  })
  @DisplayName("A27 The size of a block counts all its addresses, at most 65,536 of IPv6")
  void rangeSize(String cidr, int size) {
    assertThat(HostRange.size(Cidr.parse(cidr))).isEqualTo(size);
  }

  @Test
  @DisplayName("A28 First and last address are handed out where it is allowed")
  void firstAndLast() {
    Cidr cidr = Cidr.parse("10.0.0.0/28");
    HostRange all = HostRange.of(cidr, true, true, 0);
    assertThat(all.capacity()).isEqualTo(16);
    assertThat(position(all, "10.0.0.0")).isZero();
    assertThat(position(all, "10.0.0.15")).isEqualTo(15);
    HostRange inner = HostRange.of(cidr, 0);
    assertThat(inner.capacity()).isEqualTo(14);
    assertThat(position(inner, "10.0.0.0")).isEqualTo(-1);
    assertThat(position(inner, "10.0.0.15")).isEqualTo(-1);
    assertThat(position(HostRange.of(cidr, true, false, 0), "10.0.0.14")).isEqualTo(14);
    assertThat(position(HostRange.of(cidr, false, true, 0), "10.0.0.15")).isEqualTo(14);
    HostRange second = HostRange.of(Cidr.parse("10.0.0.16/28"), true, true, 0);
    assertThat(all.freeCount() + second.freeCount()).isEqualTo(32);
  }

  @Test
  @DisplayName("A29 What is taken is counted over all words of a snapshot")
  void counted() {
    assertThat(restored(BigInteger.ZERO).freeCount()).isEqualTo(65_534);
    assertThat(restored(BigInteger.ONE.shiftLeft(40).subtract(BigInteger.ONE)).freeCount())
        .isEqualTo(65_534 - 40);
    assertThat(restored(BigInteger.ONE.shiftLeft(256)).freeCount()).isEqualTo(65_533);
  }

  @ParameterizedTest(name = "A30 {0}")
  @ValueSource(strings = {"10.0.0.0", "10.0.0.255", "10.0.1.1", "9.255.255.255", "f00d::1"})
  @DisplayName("A30 An address that is not handed out is refused with the block")
  void outside(String ip) {
    HostRange range = HostRange.of(Cidr.parse("10.0.0.0/24"), 0);
    assertThat(position(range, ip)).isEqualTo(-1);
    Denial refusal = range.refusal(IpAddress.parse(ip));
    assertThat(refusal.code()).isEqualTo(AgentError.NOT_IN_RANGE);
    assertThat(refusal.detail()).contains(ip).contains("10.0.0.0/24");
  }

  @Test
  @DisplayName("A30 A position is taken once, and a full block has none left")
  void full() {
    HostRange range = HostRange.of(Cidr.parse("10.0.0.0/30"), 0);
    assertThat(range.take(1)).isTrue();
    assertThat(range.take(1)).isFalse();
    assertThat(range.takeNext()).isZero();
    assertThat(range.takeNext()).isEqualTo(-1);
    assertThat(range).hasToString("10.0.0.0/30, 0 of 2 free");
  }

  @Test
  @DisplayName("A31 Giving back what is free changes nothing")
  void freeTwice() {
    HostRange range = HostRange.of(Cidr.parse("10.0.0.0/30"), 0);
    range.free(1);
    assertThat(range.freeCount()).isEqualTo(2);
    range.take(1);
    range.free(1);
    range.free(1);
    assertThat(range.freeCount()).isEqualTo(2);
  }

  @ParameterizedTest(name = "A32 from seed {0}")
  @ValueSource(longs = {0, 1, 2, 29, 30, 1_000_003, -1, Long.MIN_VALUE, Long.MAX_VALUE})
  @DisplayName("A32 The only free address is found from wherever the search begins")
  void wrapsAround(long seed) {
    for (int free : new int[] {0, 1, 15, 29}) {
      HostRange range = HostRange.of(Cidr.parse("10.0.0.0/27"), seed);
      for (int position = 0; position < 30; position++) {
        if (position != free) {
          range.take(position);
        }
      }
      assertThat(range.takeNext()).isEqualTo(free);
      range.free(free);
      assertThat(range.takeNext()).isEqualTo(free);
      assertThat(range.takeNext()).isEqualTo(-1);
    }
  }

  @Test
  @DisplayName("A33 A snapshot restores the same addresses, in a range of the same block alone")
  void snapshot() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed * 0x9E3779B97F4A7C15L);
      Cidr cidr = Cidr.containing(IpAddress.parse("10.0.0.0"), 20 + random.nextInt(13));
      HostRange range = HostRange.of(cidr, seed);
      for (int i = random.nextInt(2 * range.capacity()); i > 0; i--) {
        range.take(random.nextInt(range.capacity()));
      }
      HostRange copy = HostRange.of(cidr, 0);
      copy.takeNext();
      copy.restore(range.snapshot());
      assertThat(copy.snapshot()).as("seed " + seed).isEqualTo(range.snapshot());
      assertThat(copy.freeCount()).as("seed " + seed).isEqualTo(range.freeCount());
      assertThat(range.snapshot().taken().bitCount())
          .as("seed " + seed)
          .isEqualTo(range.capacity() - range.freeCount());
    }
    HostRange range = HostRange.of(Cidr.parse("10.0.0.0/30"), 0);
    assertThatThrownBy(() -> range.restore(HostRange.of(Cidr.parse("10.0.0.0/29"), 0).snapshot()))
        .hasMessage("the snapshot is of 10.0.0.0/29; expected one of 10.0.0.0/30");
    for (long bits : new long[] {4, -1}) {
      HostRange.Snapshot beyond =
          new HostRange.Snapshot(Cidr.parse("10.0.0.0/30"), BigInteger.valueOf(bits));
      assertThatThrownBy(() -> range.restore(beyond))
          .hasMessage("the snapshot of 10.0.0.0/30 has bits beyond its 2 addresses");
    }
    assertThat(range.freeCount()).isEqualTo(2);
  }

  @ParameterizedTest(name = "A34 {0}")
  @ValueSource(
      strings = {"2001:db8:0:1::1", "2001:db8:ffff::1", "2001:db8::1:0:0:1", "2001:db8::ffff"})
  @DisplayName("A34 An address that is far away in the block is not one near its start")
  void farAway(String ip) {
    HostRange range = HostRange.of(Cidr.parse("2001:db8::/32"), 0);
    assertThat(position(range, "2001:db8::1")).isZero();
    assertThat(position(range, ip)).isEqualTo(-1);
  }

  @Test
  @DisplayName("A35 A block that begins with a zero byte has the addresses that it should")
  void zeroByte() {
    HostRange range = HostRange.of(Cidr.parse("::/64"), 0);
    assertThat(range.address(0)).hasToString("::1");
    assertThat(range.address(65_533)).hasToString("::fffe");
    assertThat(range.origin()).isEqualTo("::/64");
  }

  private static HostRange restored(BigInteger taken) {
    Cidr cidr = Cidr.parse("2001:db8::/64");
    HostRange range = HostRange.of(cidr, 0);
    range.restore(new HostRange.Snapshot(cidr, taken));
    return range;
  }

  private static int position(HostRange range, String ip) {
    return range.position(IpAddress.parse(ip));
  }
}

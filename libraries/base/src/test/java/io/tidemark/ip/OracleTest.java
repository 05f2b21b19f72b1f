package io.tidemark.ip;

import static org.assertj.core.api.Assertions.assertThat;

import inet.ipaddr.AddressStringParameters.RangeParameters;
import inet.ipaddr.IPAddress;
import inet.ipaddr.IPAddressNetwork.IPAddressGenerator;
import inet.ipaddr.IPAddressString;
import inet.ipaddr.IPAddressStringParameters;
import inet.ipaddr.ipv6.IPv6Address;
import java.math.BigInteger;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares with the library of Sean C. Foley, which shares no code with ours. */
@Tag("any-jdk")
class OracleTest {
  private static final int CASES = 25_000;

  /** The accepted forms: dotted IPv4 of four decimal parts, IPv6 with or without such a tail. */
  private static final IPAddressStringParameters STRICT =
      new IPAddressStringParameters.Builder()
          .allowAll(false)
          .allowEmpty(false)
          .allowSingleSegment(false)
          .allowWildcardedSeparator(false)
          .setRangeOptions(RangeParameters.NO_RANGE)
          .allowPrefix(true)
          .allowPrefixOnly(false)
          .allowMask(false)
          .getIPv4AddressParametersBuilder()
          .allow_inet_aton(false)
          .allowLeadingZeros(false)
          .allowBinary(false)
          .allowPrefixLengthLeadingZeros(false)
          .getParentBuilder()
          .getIPv6AddressParametersBuilder()
          .allowZone(false)
          .allowUnlimitedLeadingZeros(false)
          .allowMixed(true)
          .getEmbeddedIPv4AddressParametersBuilder()
          .allow_inet_aton(false)
          .allowLeadingZeros(false)
          .allowBinary(false)
          .getEmbeddedIPv4AddressParentBuilder()
          .allowBase85(false)
          .allowBinary(false)
          .allowPrefixLengthLeadingZeros(false)
          .getParentBuilder()
          .toParams();

  @ParameterizedTest
  @EnumSource(IpFamily.class)
  @DisplayName("Printing agrees with the oracle, and each of its spellings reads back")
  void printAndParse(IpFamily family) {
    Seeds.forEach(
        1,
        CASES,
        random -> {
          IpAddress ours = Seeds.address(family, random);
          IPAddress oracle = oracle(ours);
          boolean mapped = ours instanceof Ipv6Address v6 && v6.isIpv4Mapped();
          assertThat(ours)
              .hasToString(
                  mapped
                      ? "::ffff:"
                          + ((IPv6Address) oracle).getEmbeddedIPv4Address().toCanonicalString()
                      : oracle.toCanonicalString());
          assertThat(IpAddress.parse(ours.toString())).isEqualTo(ours);
          assertThat(IpAddress.parse(oracle.toCompressedString())).isEqualTo(ours);
          assertThat(IpAddress.parse(oracle.toCanonicalString().toUpperCase(Locale.ROOT)))
              .isEqualTo(ours);
          if (oracle instanceof IPv6Address v6) {
            assertThat(IpAddress.parse(v6.toFullString())).isEqualTo(ours);
            assertThat(IpAddress.parse(v6.toMixedString())).isEqualTo(ours);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(IpFamily.class)
  @DisplayName("Damaged text is accepted exactly when the oracle accepts it, with the same value")
  void damagedText(IpFamily family) {
    Seeds.forEach(
        1_000_000,
        CASES,
        random -> {
          String text = damaged(spelling(Seeds.address(family, random), random), random);
          Optional<String> expected = oracleReads(text);
          assertThat(IpAddress.tryParse(text).map(OracleTest::hex))
              .as("\"%s\"", text)
              .isEqualTo(expected);
        });
  }

  @ParameterizedTest
  @EnumSource(IpFamily.class)
  @DisplayName("Order, sums and distances agree with the oracle")
  void arithmetic(IpFamily family) {
    Seeds.forEach(
        2_000_000,
        CASES,
        random -> {
          IpAddress a = Seeds.address(family, random);
          IpAddress b =
              random.nextBoolean() ? Seeds.near(a, random) : Seeds.address(family, random);
          BigInteger valueA = oracle(a).getValue();
          BigInteger valueB = oracle(b).getValue();
          assertThat(Integer.signum(a.compareTo(b))).isEqualTo(valueA.compareTo(valueB));
          assertThat(a.equals(b)).isEqualTo(valueA.equals(valueB));

          BigInteger distance = valueA.subtract(valueB);
          assertThat(orNull(() -> a.offsetFrom(b)))
              .isEqualTo(distance.bitLength() < 64 ? distance.longValueExact() : null);

          long offset = Seeds.bits(random) >> random.nextInt(64);
          BigInteger sum = valueA.add(BigInteger.valueOf(offset));
          boolean inSpace = sum.signum() >= 0 && sum.bitLength() <= family.bits();
          @Nullable IpAddress moved = orNull(() -> a.plus(offset));
          assertThat(moved != null).isEqualTo(inSpace);
          if (moved != null) {
            assertThat(oracle(moved).getValue()).isEqualTo(sum);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(IpFamily.class)
  @DisplayName("Blocks agree with the oracle: text, ends, size, containment")
  void blocks(IpFamily family) {
    Seeds.forEach(
        3_000_000,
        CASES,
        random -> {
          IpAddress base = Seeds.address(family, random);
          Cidr ours = Cidr.containing(base, random.nextInt(family.bits() + 1));
          IPAddress oracle = oracle(ours);
          assertThat(oracle(ours.first()).getValue()).isEqualTo(oracle.getLower().getValue());
          assertThat(oracle(ours.last()).getValue()).isEqualTo(oracle.getUpper().getValue());
          BigInteger longest = BigInteger.valueOf(Long.MAX_VALUE);
          assertThat(BigInteger.valueOf(ours.sizeSaturated()))
              .isEqualTo(oracle.getCount().min(longest));
          assertThat(Cidr.parse(ours.toString())).isEqualTo(ours);
          assertThat(new IPAddressString(ours.toString()).getAddress().toPrefixBlock())
              .isEqualTo(oracle);

          IpAddress other = Seeds.near(random.nextBoolean() ? base : ours.last(), random);
          assertThat(ours.contains(other)).isEqualTo(oracle.contains(oracle(other)));
          Cidr otherBlock = Cidr.containing(other, random.nextInt(family.bits() + 1));
          assertThat(ours.contains(otherBlock)).isEqualTo(oracle.contains(oracle(otherBlock)));
          assertThat(ours.overlaps(otherBlock))
              .isEqualTo(oracle.intersect(oracle(otherBlock)) != null);
        });
  }

  @ParameterizedTest
  @EnumSource(IpFamily.class)
  @DisplayName("Subnets, addresses by offset and offsets by address agree with the oracle")
  void iteration(IpFamily family) {
    Seeds.forEach(
        4_000_000,
        CASES,
        random -> {
          int length = random.nextInt(family.bits() + 1);
          Cidr ours = Cidr.containing(Seeds.address(family, random), length);
          int longer = Math.min(family.bits(), length + random.nextInt(5));
          Iterator<? extends IPAddress> expected =
              oracle(ours).setPrefixLength(longer, false).prefixBlockIterator();
          long index = 0;
          for (Cidr subnet : ours.subnets(longer)) {
            assertThat(oracle(subnet)).isEqualTo(expected.next());
            assertThat(ours.subnet(longer, index++)).isEqualTo(subnet);
          }
          assertThat(expected.hasNext()).isFalse();
          assertThat(ours.subnetCountSaturated(longer)).isEqualTo(index);

          Cidr part =
              Cidr.containing(ours.last(), length + random.nextInt(family.bits() - length + 1));
          int finer = length + random.nextInt(family.bits() - length + 1);
          BigInteger distance =
              oracle(part.first()).getValue().subtract(oracle(ours.first()).getValue());
          BigInteger at = distance.shiftRight(family.bits() - finer);
          assertThat(orNull(() -> ours.subnetIndex(part, finer)))
              .isEqualTo(at.bitLength() < 64 ? at.longValueExact() : null);

          long offset = (Seeds.bits(random) >>> 1) & (ours.sizeSaturated() - 1);
          IpAddress inside = ours.address(offset);
          assertThat(oracle(inside).getValue())
              .isEqualTo(oracle(ours).getLower().getValue().add(BigInteger.valueOf(offset)));
          assertThat(ours.indexOf(inside)).isEqualTo(offset);
        });
  }

  private static IPAddress oracle(IpAddress address) {
    BigInteger value = new BigInteger(hex(address).substring(1), 16);
    byte[] bytes = new byte[address.family().bits() / 8];
    byte[] digits = value.toByteArray();
    int length = Math.min(bytes.length, digits.length);
    System.arraycopy(digits, digits.length - length, bytes, bytes.length - length, length);
    return new IPAddressGenerator().from(bytes);
  }

  private static IPAddress oracle(Cidr block) {
    return oracle(block.network()).toPrefixBlock(block.prefixLength());
  }

  /** Family and value, from the words themselves and not from any printing under test. */
  private static String hex(IpAddress address) {
    return address instanceof Ipv6Address v6
        ? String.format("6%016x%016x", v6.high(), v6.low())
        : String.format("4%08x", ((Ipv4Address) address).bits());
  }

  private static Optional<String> oracleReads(String text) {
    IPAddressString string = new IPAddressString(text, STRICT);
    // The oracle trims white space and reads a prefix length.
    if (text.indexOf('/') >= 0
        || text.indexOf(' ') >= 0
        || !string.isValid()
        || string.getAddress() == null) {
      return Optional.empty();
    }
    IPAddress address = string.getAddress();
    String digits = address.isIPv6() ? "6%032x" : "4%08x";
    return Optional.of(String.format(digits, address.getValue()));
  }

  private static String spelling(IpAddress address, Random random) {
    IPAddress oracle = oracle(address);
    if (!(oracle instanceof IPv6Address v6)) {
      return oracle.toCanonicalString();
    }
    return switch (random.nextInt(4)) {
      case 0 -> v6.toFullString();
      case 1 -> v6.toMixedString();
      case 2 -> v6.toNormalizedString();
      default -> v6.toCompressedString();
    };
  }

  /** Up to three characters inserted, replaced or taken out. */
  private static String damaged(String text, Random random) {
    StringBuilder out = new StringBuilder(text);
    for (int edits = random.nextInt(4); edits > 0; edits--) {
      char c = "0123456789abcfF:.::..% gx/-".charAt(random.nextInt(27));
      int at = random.nextInt(out.length() + 1);
      switch (random.nextInt(3)) {
        case 0 -> out.insert(at, c);
        case 1 -> out.replace(at, Math.min(at + 1, out.length()), String.valueOf(c));
        default -> out.delete(at, Math.min(at + 1, out.length()));
      }
    }
    return out.toString();
  }

  private static <T> @Nullable T orNull(Supplier<T> supplier) {
    try {
      return supplier.get();
    } catch (ArithmeticException outside) {
      return null;
    }
  }
}

package io.tidemark.ip;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one address from the front part of a string, one pass, no copies. Used once and thrown
 * away: after a scan that gave nothing, {@link #problem()} says why.
 */
final class AddressScanner {
  private final String text;
  private final int to;
  private final boolean zerosAllowed;
  private @Nullable String problem;

  /**
   * Of the characters before index {@code to}.
   *
   * @param zerosAllowed whether octets may have leading zeros; they are decimal all the same
   */
  AddressScanner(String text, int to, boolean zerosAllowed) {
    this.text = text;
    this.to = to;
    this.zerosAllowed = zerosAllowed;
  }

  @Nullable IpAddress scan() {
    if (to == 0) {
      return fail("it is empty");
    }
    int colon = text.indexOf(':');
    return colon >= 0 && colon < to ? scanIpv6() : scanIpv4();
  }

  String problem() {
    return Objects.requireNonNull(problem, "the scan found an address");
  }

  private @Nullable IpAddress scanIpv4() {
    long bits = ipv4Bits(0);
    return bits < 0 ? null : new Ipv4Address((int) bits);
  }

  /** Four octets from {@code start} to the end; negative after a failure. */
  private long ipv4Bits(int start) {
    int position = start;
    long bits = 0;
    for (int octet = 0; octet < 4; octet++) {
      while (zerosAllowed
          && position + 1 < to
          && text.charAt(position) == '0'
          && isDigit(text.charAt(position + 1))) {
        position++;
      }
      int begin = position;
      int value = 0;
      while (position < to && isDigit(text.charAt(position)) && position - begin < 4) {
        value = value * 10 + text.charAt(position++) - '0';
      }
      int digits = position - begin;
      if (digits == 0) {
        return failIpv4(position < to ? unexpected(position) : "an octet is missing");
      }
      if (digits > 1 && text.charAt(begin) == '0') {
        return failIpv4("an octet has a leading zero");
      }
      if (value > 255) {
        return failIpv4("an octet is above 255");
      }
      bits = bits << 8 | value;
      if (octet < 3) {
        if (position == to) {
          return failIpv4("it has fewer than four octets");
        }
        if (text.charAt(position) != '.') {
          return failIpv4(unexpected(position));
        }
        position++;
      }
    }
    return position == to ? bits : failIpv4(unexpected(position));
  }

  private @Nullable IpAddress scanIpv6() {
    int position = 0;
    int groups = 0;
    int gap = -1;
    long high = 0;
    long low = 0;
    if (text.charAt(0) == ':') {
      if (to == 1 || text.charAt(1) != ':') {
        return fail("it starts with a single colon");
      }
      gap = 0;
      position += 2;
    }
    while (position < to) {
      int begin = position;
      int value = 0;
      int digit;
      while (position < to && (digit = hexDigit(text.charAt(position))) >= 0) {
        if (position - begin == 4) {
          return fail("a group has more than four digits");
        }
        value = value << 4 | digit;
        position++;
      }
      if (position == begin) {
        return fail(unexpected(position));
      }
      if (groups == 8) {
        return fail("it has more than eight groups");
      }
      if (position < to && text.charAt(position) == '.') {
        if (groups > 6) {
          return fail("its IPv4 part needs the place of two groups");
        }
        long tail = ipv4Bits(begin);
        if (tail < 0) {
          return null;
        }
        high = high << 32 | low >>> 32;
        low = low << 32 | tail;
        groups += 2;
        break;
      }
      high = high << 16 | low >>> 48;
      low = low << 16 | value;
      groups++;
      if (position == to) {
        break;
      }
      if (text.charAt(position) != ':') {
        return fail(unexpected(position));
      }
      position++;
      if (position == to) {
        return fail("it ends with a single colon");
      }
      if (text.charAt(position) == ':') {
        if (gap >= 0) {
          return fail("it has more than one \"::\"");
        }
        gap = groups;
        position++;
      }
    }
    return widened(high, low, groups, gap);
  }

  /** Puts the zero groups where "::" stood; {@code gap} counts the groups before it, or is -1. */
  private @Nullable IpAddress widened(long high, long low, int groups, int gap) {
    if (gap < 0) {
      return groups == 8 ? new Ipv6Address(high, low) : fail("it has fewer than eight groups");
    }
    if (groups == 8) {
      return fail("\"::\" stands for no group, eight are written");
    }
    int tailBits = 16 * (groups - gap);
    long tailHigh = high & Words.highOnes(tailBits);
    long tailLow = low & Words.lowOnes(tailBits);
    int shift = 16 * (8 - groups);
    long headHigh = high ^ tailHigh;
    long headLow = low ^ tailLow;
    // Where the shift is 64 or more, four groups at most are written: no bit is in the upper word.
    return new Ipv6Address(
        headHigh << shift | Words.highShifted(headLow, shift) | tailHigh,
        Words.lowShifted(headLow, shift) | tailLow);
  }

  private String unexpected(int position) {
    char c = text.charAt(position);
    if (c == '%') {
      return "zone ids are not accepted";
    }
    if (Character.isWhitespace(c)) {
      return "it contains white space";
    }
    return c > ' ' && c <= '~'
        ? "unexpected '" + c + "' at position " + position
        : "unexpected character at position " + position;
  }

  private @Nullable IpAddress fail(String reason) {
    problem = reason;
    return null;
  }

  private long failIpv4(String reason) {
    problem = reason;
    return -1;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int hexDigit(char c) {
    if (isDigit(c)) {
      return c - '0';
    }
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
  }
}

package io.tidemark.resource;

import java.util.Map;

/**
 * The form of a known part of the object on the wire. One table of shapes ({@link
 * CiliumNodeShapes}) says what is checked when an object is read ({@link ShapeReader}) and what
 * counts as a difference between two ({@link Sameness}).
 */
sealed interface Shape {
  /** A part without members. */
  enum Leaf implements Shape {
    /** Kept, never checked, compared literally; unknown members are such, too. */
    ANY("a value"),
    /** A text; empty means absent. */
    TEXT("a text"),
    /** A text that is an IP address; empty means absent. */
    ADDRESS("an IP address such as 10.0.0.1"),
    /** A text that is a CIDR block; empty means absent. */
    BLOCK("a CIDR block such as 10.0.0.0/28"),
    /** A whole number of 32 bits. */
    INTEGER("a whole number of 32 bits"),
    /** A whole number from 0 to 2<sup>31</sup> - 1; 0 means absent. */
    COUNT("a whole number from 0 to 2147483647"),
    /** As {@link #COUNT}, but 0 is a value (NM-J6). */
    STATED_COUNT("a whole number from 0 to 2147483647"),
    /** True, false or absent, three states (NM-J6). */
    STATED_FLAG("true or false"),
    /** A text of {@link HandshakeState}. */
    HANDSHAKE("one of marked-for-release, ready-for-release, do-not-release, released");

    private final String text;

    Leaf(String text) {
      this.text = text;
    }

    /** For people: the value that is expected. */
    String text() {
      return text;
    }
  }

  /** An object with these members, and others that are {@link Leaf#ANY}. */
  record Struct(Map<String, Shape> members) implements Shape {
    Shape member(String key) {
      return members.getOrDefault(key, Leaf.ANY);
    }
  }

  /**
   * An object whose keys are data, so that the presence of a key counts even when its value is
   * empty.
   *
   * @param byAddress whether the keys are IP addresses
   */
  record MapOf(boolean byAddress, Shape values) implements Shape {}

  /**
   * An array.
   *
   * @param ordered whether the order of the elements means something (NM-J7)
   */
  record ListOf(boolean ordered, Shape elements) implements Shape {}
}

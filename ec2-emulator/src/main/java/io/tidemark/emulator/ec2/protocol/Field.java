package io.tidemark.emulator.ec2.protocol;

import java.util.Objects;

/**
 * One parameter that an action takes, by its name on the wire. Immutable.
 *
 * @param name one segment of the dotted name, for example {@code SubnetId} or {@code Filter}
 * @param kind its type
 * @param list true when an index follows the name, {@code SecurityGroupId.1}
 * @param required true when the request is refused without it
 * @param inner the members, for structures
 */
public record Field(String name, Kind kind, boolean list, boolean required, ParameterShape inner) {
  /** The value of a parameter. */
  public enum Kind {
    TEXT,
    INTEGER,
    FLAG,
    STRUCTURE,
    /** EC2 accepts it and clients often set it; the emulator ignores it. */
    IGNORED,
    /** EC2 knows it, the emulator does not do it: refused with UnsupportedOperation. */
    UNSUPPORTED
  }

  public Field {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(inner, "inner");
  }

  public static Field text(String name) {
    return new Field(name, Kind.TEXT, false, false, ParameterShape.EMPTY);
  }

  public static Field integer(String name) {
    return new Field(name, Kind.INTEGER, false, false, ParameterShape.EMPTY);
  }

  public static Field flag(String name) {
    return new Field(name, Kind.FLAG, false, false, ParameterShape.EMPTY);
  }

  /** A list of texts. */
  public static Field texts(String name) {
    return new Field(name, Kind.TEXT, true, false, ParameterShape.EMPTY);
  }

  public static Field structure(String name, Field... members) {
    return new Field(name, Kind.STRUCTURE, false, false, ParameterShape.of(members));
  }

  /** A list of structures. */
  public static Field structures(String name, Field... members) {
    return new Field(name, Kind.STRUCTURE, true, false, ParameterShape.of(members));
  }

  /** A parameter, whatever is below its name, that is accepted without effect. */
  public static Field ignored(String name) {
    return new Field(name, Kind.IGNORED, false, false, ParameterShape.EMPTY);
  }

  /** A parameter, whatever is below its name, that EC2 has and the emulator refuses. */
  public static Field unsupported(String name) {
    return new Field(name, Kind.UNSUPPORTED, false, false, ParameterShape.EMPTY);
  }

  /** The same, refused when missing. */
  public Field mandatory() {
    return new Field(name, kind, list, true, inner);
  }

  /** The name as EC2 writes it in its messages: with a small first letter. */
  static String spoken(String name) {
    return name.isEmpty() ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}

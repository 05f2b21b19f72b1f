package io.tidemark.emulator.ec2.protocol;

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

  /** The name as EC2 writes it in its messages: with a small first letter. */
  public static String spoken(String name) {
    return name.isEmpty() ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }
}

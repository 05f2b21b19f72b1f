package io.tidemark.agent.multipool;

/** Why a block that is offered cannot be taken up. */
public enum Rejection {
  /** It is written as IPv4-mapped IPv6 block. */
  IPV4_MAPPED("it is an IPv4-mapped IPv6 block"),
  /** Another block of the pool has some of its addresses. */
  OVERLAPS("another block of the pool has some of its addresses"),
  /** The pool would have more than 16,777,216 addresses. */
  TOO_LARGE("the pool would have more than 16,777,216 addresses"),
  /** The agent does not serve its family. */
  FAMILY_DISABLED("the agent does not serve its family");

  private final String text;

  Rejection(String text) {
    this.text = text;
  }

  /** For people. */
  String text() {
    return text;
  }
}

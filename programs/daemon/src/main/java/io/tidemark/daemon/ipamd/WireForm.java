package io.tidemark.daemon.ipamd;

/** How a version of the plugin reads replies: a field changed its type without a new number. */
public enum WireForm {
  /** Before 1.20: one address, as a text of the reply. */
  ONE_ADDRESS,
  /** From 1.20: a list of addresses, each a message with its device number and route table. */
  ADDRESS_LIST
}

package io.tidemark.provider.aws.eni;

/**
 * One way to ask for addresses.
 *
 * @param prefixes 0 when singles are asked for
 * @param label the rung's name in metrics and logs
 */
record Rung(SubnetPool pool, int prefixes, int singles, String label) {
  /** Pod addresses it brings. */
  int addresses() {
    return prefixes * SlotModel.BLOCK_SIZE + singles;
  }
}

package io.tidemark.datastore;

/**
 * A network interface that is attached to the node.
 *
 * @param deviceNumber its number on its network card; 0 is the primary interface of the card
 * @param primary whether it is the primary interface of the node, which is never removed
 * @param trunk whether pods get interfaces of their own through it
 * @param efa whether it is an Elastic Fabric Adapter
 * @param routeTableId of the routes that pods with addresses of it use
 * @param subnetId empty when unknown
 */
public record StoreEniSpec(
    String id,
    int deviceNumber,
    boolean primary,
    boolean trunk,
    boolean efa,
    int routeTableId,
    String subnetId) {
  private static final int MAIN_TABLE = 254;
  private static final int FIRST_TABLE_OF_CARDS = 10_000;

  /** The route table of an interface, by its place. */
  public static int routeTable(int card, int deviceNumber) {
    if (card > 0) {
      return FIRST_TABLE_OF_CARDS + deviceNumber + 100 * card;
    }
    return deviceNumber == 0 ? MAIN_TABLE : deviceNumber + 1;
  }
}

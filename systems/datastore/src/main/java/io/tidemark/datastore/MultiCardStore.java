package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.datastore.checkpoint.IpamMetadata;
import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The stores of all network cards of a node. A pod has an address of one card, or one of each under
 * the same key. Thread-safe; never blocks, and holds no lock of its own.
 */
public final class MultiCardStore {
  private final SortedMap<Integer, DataStore> cards;

  /**
   * The stores of these cards.
   *
   * @param cards by their numbers, of which some may be missing
   */
  public MultiCardStore(Map<Integer, DataStore> cards) {
    this.cards = new TreeMap<>(cards);
  }

  /** The store of a card; empty when the card is left out. */
  public Optional<DataStore> card(int number) {
    return Optional.ofNullable(cards.get(number));
  }

  /** The numbers of the cards, ascending. */
  public List<Integer> numbers() {
    return List.copyOf(cards.keySet());
  }

  /**
   * Gives a sandbox one address: the one it has, or one of the first card that has any. Another
   * card is asked only when one has no address, not when its file cannot be written.
   */
  public CompletionStage<AssignOutcome> assign(
      IpamKey key, IpamMetadata metadata, IpFamily family) {
    List<DataStore> order = new ArrayList<>(cards.values());
    order.sort(Comparator.comparing((DataStore card) -> !card.hasAddress(key, family)));
    CompletionStage<AssignOutcome> outcome =
        CompletableFuture.completedStage(new AssignOutcome.NoAddress(AssignOutcome.Reason.EMPTY));
    for (DataStore card : order) {
      outcome =
          outcome.thenCompose(
              before ->
                  before instanceof AssignOutcome.NoAddress none
                      ? card.assign(key, metadata, family).thenApply(next -> worse(none, next))
                      : CompletableFuture.completedStage(before));
    }
    return outcome;
  }

  /** Of two cards without an address the reason that is nearer to having one. */
  private static AssignOutcome worse(AssignOutcome.NoAddress before, AssignOutcome next) {
    return next instanceof AssignOutcome.NoAddress none
            && none.reason().compareTo(before.reason()) < 0
        ? before
        : next;
  }

  /**
   * Gives a sandbox an address of each card, or none at all: when a card gives none, what the
   * others gave is released, and then the answer comes.
   */
  public CompletionStage<CardsOutcome> assignEach(
      IpamKey key, IpamMetadata metadata, IpFamily family) {
    CompletionStage<CardsOutcome> outcome =
        CompletableFuture.completedStage(new CardsOutcome.Granted(Map.of()));
    for (Map.Entry<Integer, DataStore> card : cards.entrySet()) {
      outcome =
          outcome.thenCompose(
              before ->
                  before instanceof CardsOutcome.Granted granted
                      ? card.getValue()
                          .assign(key, metadata, family)
                          .thenApply(next -> with(granted, card.getKey(), next))
                      : CompletableFuture.completedStage(before));
    }
    return outcome.thenCompose(
        end ->
            end instanceof CardsOutcome.Failed
                ? release(key).thenApply(released -> end)
                : CompletableFuture.completedStage(end));
  }

  private static CardsOutcome with(CardsOutcome.Granted granted, int card, AssignOutcome next) {
    if (!(next instanceof AssignOutcome.Granted more)) {
      return new CardsOutcome.Failed(card, next);
    }
    Map<Integer, Assignment> all = new TreeMap<>(granted.assignments());
    all.put(card, more.assignment());
    return new CardsOutcome.Granted(all);
  }

  /**
   * Takes from a sandbox its addresses of all cards. Refused when one of them cannot be written;
   * unknown when no card knows the sandbox.
   */
  public CompletionStage<StoreReleaseOutcome> release(IpamKey key) {
    CompletionStage<StoreReleaseOutcome> outcome =
        CompletableFuture.completedStage(new StoreReleaseOutcome.Unknown(Optional.empty()));
    for (DataStore card : cards.values()) {
      outcome = outcome.thenCombine(card.release(key), StoreReleaseOutcome::both);
    }
    return outcome;
  }
}

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
   *
   * @return the outcomes of all cards, by their numbers, or that of the card alone that gave none
   */
  public CompletionStage<SortedMap<Integer, AssignOutcome>> assignEach(
      IpamKey key, IpamMetadata metadata, IpFamily family) {
    CompletionStage<SortedMap<Integer, AssignOutcome>> outcomes =
        CompletableFuture.completedStage(new TreeMap<>());
    for (Map.Entry<Integer, DataStore> card : cards.entrySet()) {
      outcomes =
          outcomes.thenCompose(
              before ->
                  isGranted(before)
                      ? card.getValue()
                          .assign(key, metadata, family)
                          .thenApply(next -> with(before, card.getKey(), next))
                      : CompletableFuture.completedStage(before));
    }
    return outcomes.thenCompose(
        end ->
            isGranted(end)
                ? CompletableFuture.completedStage(end)
                : release(key).thenApply(released -> end));
  }

  private static boolean isGranted(SortedMap<Integer, AssignOutcome> outcomes) {
    return outcomes.values().stream().allMatch(AssignOutcome.Granted.class::isInstance);
  }

  private static SortedMap<Integer, AssignOutcome> with(
      SortedMap<Integer, AssignOutcome> before, int card, AssignOutcome next) {
    SortedMap<Integer, AssignOutcome> all =
        next instanceof AssignOutcome.Granted ? new TreeMap<>(before) : new TreeMap<>();
    all.put(card, next);
    return all;
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

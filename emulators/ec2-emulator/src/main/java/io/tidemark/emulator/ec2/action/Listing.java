package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Action;
import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Region;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.protocol.Answer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One page of what a caller sees in a table.
 *
 * @param resources in the order of their creation
 * @param nextToken leads on; empty on the last page
 */
record Listing<T>(List<T> resources, Optional<String> nextToken) {
  Listing {
    resources = List.copyOf(resources);
  }

  /** The action that lists a whole table by filters and ids, with pages of 5 to {@code most}. */
  static <T extends Resource> Action action(
      String name,
      String ids,
      int most,
      Function<Region, Table<T>> table,
      Ec2Filters<T> filters,
      String set,
      BiFunction<Call, T, Answer> each) {
    return DeclaredAction.of(
        name,
        ids + "[]" + DeclaredAction.PAGES,
        call -> of(call, table.apply(call.region()), ids, most, filters).answer(call, set, each));
  }

  /**
   * Reads ids, filters, MaxResults and NextToken of the call.
   *
   * @param ids the parameter that names resources; each must be there
   */
  static <T extends Resource> Listing<T> of(
      Call call, Table<T> table, String ids, int most, Ec2Filters<T> filters) {
    return of(call, table, ids, PageRequest.read(call.parameters(), ids, most), filters);
  }

  static <T extends Resource> Listing<T> of(
      Call call, Table<T> table, String ids, PageRequest page, Ec2Filters<T> filters) {
    Predicate<T> filter = filters.read(call.parameters());
    List<String> named = call.parameters().texts(ids);
    if (!named.isEmpty()) {
      return new Listing<>(
          named(call, table, named).stream().filter(filter).toList(), Optional.empty());
    }
    return page(
        call.seen(table, page.serial(), Ec2Filters.exact(call.parameters())).iterator(),
        page,
        filter);
  }

  /**
   * One page of what needs no table.
   *
   * @param all sorted by place
   * @param place sorts by it, and no two are equal
   */
  static <T> Listing<T> of(List<T> all, PageRequest page, Function<T, String> place) {
    List<T> rest =
        all.stream()
            .filter(one -> page.cursor().filter(c -> c.compareTo(place.apply(one)) >= 0).isEmpty())
            .toList();
    int most = Math.min(rest.size(), page.most().orElse(Integer.MAX_VALUE));
    return new Listing<>(
        rest.subList(0, most),
        most < rest.size()
            ? Optional.of(page.tokenAfter(place.apply(rest.get(most - 1))))
            : Optional.empty());
  }

  /** The resources as a list of this name, and the token. */
  Answer answer(Call call, String set, BiFunction<Call, T, Answer> each) {
    return answer(set, resource -> each.apply(call, resource));
  }

  Answer answer(String set, Function<T, Answer> each) {
    return Answer.empty().items(set, resources, each).put("nextToken", nextToken);
  }

  private static <T extends Resource> List<T> named(Call call, Table<T> table, List<String> ids) {
    List<T> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    for (String id : ids.stream().distinct().toList()) {
      table.type().requireWellFormed(id);
      call.seen(table, id).ifPresentOrElse(found::add, () -> missing.add(id));
    }
    if (!missing.isEmpty()) {
      throw table.type().notFound(missing);
    }
    return found;
  }

  private static <T> Listing<T> page(
      Iterator<Table.Seen<T>> rest, PageRequest page, Predicate<T> filter) {
    int most = page.most().orElse(Integer.MAX_VALUE);
    List<T> found = new ArrayList<>();
    long last = 0;
    while (rest.hasNext()) {
      Table.Seen<T> next = rest.next();
      if (filter.test(next.resource())) {
        if (found.size() == most) {
          return new Listing<>(found, Optional.of(page.tokenAfter(Long.toString(last))));
        }
        found.add(next.resource());
        last = next.serial();
      }
    }
    return new Listing<>(found, Optional.empty());
  }
}

package io.tidemark.provider.aws.ec2;

import java.util.List;
import java.util.Optional;

/**
 * A page of a listing.
 *
 * @param next the token of the next page; empty at the end
 */
public record AwsPage<T>(List<T> items, Optional<String> next) {}

#!/usr/bin/perl
# Prints a line for each C++ name in a text that no source declares.
#
#   undeclared_names.pl ROOT TEXT...
#
# Looked at are names with a scope, such as Core::Compile, wherever they stand, and in backticks also those without one
# that begin with a capital, such as a class, a macro, the key of a property or the type of an operation. Left out are
# the namespaces of others (std::, absl::, ov::) and, in a table, the columns whose headings name OpenVINO: these tell
# what is called how elsewhere.
use strict;
use warnings;

my ($root, @texts) = @ARGV;
my %members;     # of a class, by name
my %bases;       # of a class
my %declared;    # names without their scopes
my %quoted;      # whole string literals: keys, devices, operations
my $braces = qr/(?<braces>\{(?:[^{}]++|(?&braces))*\})/;
my $parens = qr/(?<parens>\((?:[^()]++|(?&parens))*\))/;

sub slurp {
  open(my $file, '<', $_[0]) or die "$_[0]: $!\n";
  local $/;
  return <$file>;
}

sub declare {
  my ($scope, $name) = @_;
  $declared{$name} = 1;
  $members{$scope}{$name} = 1;
}

# Notes what `code`, without comments, parameters and bodies of functions, declares in the class or namespace `scope`.
sub index_scope {
  my ($scope, $code) = @_;
  while ($code =~ s/\b(enum\s+)?(?:class|struct|union|(?<=enum )(?=\w))\s*(\w+)(?:\s+final)?\s*(:[^{};]*)?$braces/;/) {
    my ($is_enum, $name, $parents, $body) = ($1, $2, $3 // '', $4);
    declare($scope, $name);
    $members{$name} //= {};
    $bases{$name}{$_} = 1 for $parents =~ /(\w+)(?=\s*(?:,|$))/g;
    $body =~ s/^\{|\}$//g;
    index_scope($name, $is_enum ? "$body," : $body);
  }
  declare($scope, $_) for $code =~ /\b([A-Za-z_]\w*)\s*(?=[(;=,\[{])/g;
}

sub index_file {
  my ($code) = @_;
  $code =~ s{("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)')|//[^\n]*|/\*.*?\*/}{defined $1 ? '""' : ''}gse;
  $declared{$_} = 1 for $code =~ /^#define (\w+)/mg;
  $code =~ s/^#(?:[^\n]*\\\n)*[^\n]*//mg;
  $code =~ s{\(\*(\w+)\)}{$1}g;
  $code =~ s/$parens/()/g;
  1 while $code =~ s/<[^<>;(){}]*>//g;
  $code =~ s/\)(?:\s*(?:const|override|final|noexcept|:[^{};]*))*\s*$braces/);/g;
  $code =~ s/=\s*[^;{}]*$braces/=/g;
  $code =~ s/\b(?:inline\s+)?namespace\b[^{;=]*\{/;/g;
  index_scope('', $code);
}

sub is_member {
  my ($class, $name) = @_;
  return 1 if $members{$class}{$name};
  return grep { is_member($_, $name) } keys %{$bases{$class} // {}};
}

# Whether A::B::c is there: B in A, c in B. A namespace of this project only says where a name is.
sub is_declared {
  my @parts = split /::/, shift;
  shift @parts while @parts > 1 && $parts[0] =~ /^(?:dovetail|properties)$/;
  return $declared{$parts[0]} if @parts == 1;
  return 1 if $parts[0] =~ /^[a-z]/;
  for my $i (1 .. $#parts) {
    return 0 unless $members{$parts[$i - 1]} && is_member($parts[$i - 1], $parts[$i]);
  }
  return 1;
}

# The text without the columns that name what is others'.
sub own_part {
  my ($text) = @_;
  my ($own, @foreign) = ('');
  my @lines = split /\n/, $text;
  for my $i (0 .. $#lines) {
    my $line = $lines[$i];
    if ($line !~ /^\|/) { @foreign = (); $own .= "$line\n"; next; }
    my @cells = split /\|/, $line, -1;
    @foreign = map { /OpenVINO/ ? 1 : 0 } @cells if ($lines[$i + 1] // '') =~ /^\|-/;
    $own .= join('|', map { $foreign[$_] ? '' : $cells[$_] } 0 .. $#cells) . "\n";
  }
  return $own;
}

my @folders = grep { -e "$root/$_" } qw(core transformations backends extensions testing tools dovetail.h);
for my $file (split /\n/, qx(cd '$root' && find @folders -name '*.h' -o -name '*.cc')) {
  my $code = slurp("$root/$file");
  next if $file =~ m{_test\.cc$};
  index_file($code);
  next if $file =~ m{^testing/|/testing/};
  $quoted{$_} = 1 for $code =~ /"(\w+)"/g;
}

for my $text (@texts) {
  my $own = own_part(slurp($text));
  # The backend that docs/adding_a_backend.md makes of backends/null.
  $own =~ s/Mine(?![a-z])/Null/g;
  $own =~ s/MINE/NULL/g;
  my %names;
  while ($own =~ /(?<![\w:])((?:[A-Za-z_]\w*::)+\w+)/g) {
    $names{$1} = is_declared($1);
  }
  while ($own =~ /`([A-Z]\w*)(?:\([^`]*\))?`/g) {
    $names{$1} = $declared{$1} || $quoted{$1};
  }
  print "$text: $_ is declared nowhere\n" for grep { !$names{$_} } sort keys %names;
}

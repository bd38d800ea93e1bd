// Stands in for the package source-map in the bundle: Handlebars asks whether it is there.
module.exports = {};
